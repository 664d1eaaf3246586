#include "reports/import/block_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <fmt/format.h>

#include "model/check.h"

namespace reports {
namespace {

constexpr std::size_t packed_block = std::size_t{1} << 18;

class PlainFile final : public BlockSource {
 public:
  PlainFile(std::string name, int descriptor, ShouldStop stop)
      : name_(std::move(name)), descriptor_(descriptor), stop_(stop) {}
  ~PlainFile() override {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  }
  PlainFile(const PlainFile&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;

  std::size_t read(char* to, std::size_t count) override {
    while (true) {
      if (stop_ != nullptr && !wait()) {
        problem_ = name_ + ": interrupted";
        return 0;
      }
      const auto got = ::read(descriptor_, to, count);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno == EINTR) continue;
      problem_ = problem_with(name_, errno);
      return 0;
    }
  }

 private:
  /// Until there is something to read; false when the reading is to stop.
  bool wait() const {
    constexpr int look_again_ms = 200;
    struct pollfd waited {
      .fd = descriptor_, .events = POLLIN, .revents = 0
    };
    while (!stop_()) {
      const int ready = ::poll(&waited, 1, look_again_ms);
      // A signal ends poll, and would not end the read that follows.
      if (ready > 0 || (ready < 0 && errno != EINTR)) return true;
    }
    return false;
  }

  std::string name_;
  int descriptor_;
  ShouldStop stop_;
};

class PlainText final : public BlockSource {
 public:
  explicit PlainText(std::string text) : text_(std::move(text)) {}
  std::size_t read(char* to, std::size_t count) override {
    const auto got = std::min(count, text_.size() - at_);
    text_.copy(to, got, at_);
    at_ += got;
    return got;
  }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

/// What the first bytes were, and then the rest.
class Rejoined final : public BlockSource {
 public:
  Rejoined(std::string head, std::unique_ptr<BlockSource> rest) : head_(std::move(head)), rest_(std::move(rest)) {}
  std::size_t read(char* to, std::size_t count) override {
    if (at_ < head_.size()) {
      const auto got = std::min(count, head_.size() - at_);
      head_.copy(to, got, at_);
      at_ += got;
      return got;
    }
    const auto got = rest_->read(to, count);
    problem_ = rest_->problem();
    return got;
  }

 private:
  std::string head_;
  std::unique_ptr<BlockSource> rest_;
  std::size_t at_ = 0;
};

/// A packed input: keeps a block of it, and says where it is cut off.
class Packed : public BlockSource {
 public:
  Packed(std::string name, std::unique_ptr<BlockSource> source) : name_(std::move(name)), source_(std::move(source)) {}

 protected:
  /// More input where all of it is used up; false at its end.
  bool refill() {
    if (used_ < filled_) return true;
    used_ = 0;
    filled_ = source_->read(block_.data(), block_.size());
    if (filled_ == 0) problem_ = source_->problem();
    return filled_ > 0;
  }
  void fail(std::string_view what) {
    if (problem_.empty()) problem_ = fmt::format("{}: {}", name_, what);
  }

  std::string name_;
  std::unique_ptr<BlockSource> source_;
  std::vector<char> block_ = std::vector<char>(packed_block);
  std::size_t used_ = 0;
  std::size_t filled_ = 0;
};

class Gzip final : public Packed {
 public:
  Gzip(std::string name, std::unique_ptr<BlockSource> source) : Packed(std::move(name), std::move(source)) {
    constexpr int gzip_window = 15 + 16;
    CHECK(inflateInit2(&stream_, gzip_window) == Z_OK);
  }
  ~Gzip() override { inflateEnd(&stream_); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  std::size_t read(char* to, std::size_t count) override {
    const auto room = static_cast<uInt>(std::min<std::size_t>(count, 1U << 30));
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = room;
    while (stream_.avail_out == room && problem_.empty()) {
      if (!refill()) {
        if (is_inside_) fail("the gzip data ends in the middle");
        break;
      }
      stream_.next_in = reinterpret_cast<Bytef*>(block_.data() + used_);
      stream_.avail_in = static_cast<uInt>(filled_ - used_);
      const int state = inflate(&stream_, Z_NO_FLUSH);
      used_ = filled_ - stream_.avail_in;
      is_inside_ = state != Z_STREAM_END;
      if (state == Z_STREAM_END) {
        inflateReset(&stream_);
      } else if (state != Z_OK && state != Z_BUF_ERROR) {
        fail("the gzip data is damaged");
      }
    }
    return room - stream_.avail_out;
  }

 private:
  z_stream stream_{};
  bool is_inside_ = false;
};

class Zstd final : public Packed {
 public:
  Zstd(std::string name, std::unique_ptr<BlockSource> source)
      : Packed(std::move(name), std::move(source)), stream_(ZSTD_createDStream(), &ZSTD_freeDStream) {
    CHECK(stream_ != nullptr);
  }

  std::size_t read(char* to, std::size_t count) override {
    ZSTD_outBuffer out{to, count, 0};
    while (out.pos == 0 && problem_.empty()) {
      if (!refill()) {
        if (is_inside_) fail("the zstd data ends in the middle");
        break;
      }
      ZSTD_inBuffer in{block_.data() + used_, filled_ - used_, 0};
      const auto state = ZSTD_decompressStream(stream_.get(), &out, &in);
      used_ += in.pos;
      is_inside_ = state != 0;
      if (ZSTD_isError(state) != 0) fail(fmt::format("the zstd data is damaged ({})", ZSTD_getErrorName(state)));
    }
    return out.pos;
  }

 private:
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream_;
  bool is_inside_ = false;
};

std::unique_ptr<BlockSource> unpacked(const std::string& name, std::unique_ptr<BlockSource> source) {
  std::string head(4, '\0');
  std::size_t got = 0;
  while (got < head.size()) {
    const auto more = source->read(head.data() + got, head.size() - got);
    if (more == 0) break;
    got += more;
  }
  head.resize(got);
  const bool is_gzip = head.starts_with("\x1f\x8b");
  const bool is_zstd = head.starts_with("\x28\xb5\x2f\xfd");
  auto whole = std::make_unique<Rejoined>(std::move(head), std::move(source));
  if (is_gzip) return std::make_unique<Gzip>(name, std::move(whole));
  if (is_zstd) return std::make_unique<Zstd>(name, std::move(whole));
  return whole;
}

}  // namespace

Result<std::unique_ptr<BlockSource>, Problem> open_blocks(const std::string& path, ShouldStop stop) {
  const bool is_standard_input = path == "-";
  const int descriptor = is_standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return Failed{problem_with(path, errno)};
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    if (!is_standard_input) ::close(descriptor);
    return Failed{problem_with(path, EISDIR)};
  }
  const std::string name = is_standard_input ? "standard input" : path;
  return unpacked(name, std::make_unique<PlainFile>(name, descriptor, stop));
}

std::unique_ptr<BlockSource> blocks_of(std::string text) {
  return unpacked("text", std::make_unique<PlainText>(std::move(text)));
}

bool LineReader::fill() {
  if (at_end_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  const auto got = source_->read(buffer_.data() + end_, buffer_.size() - end_);
  end_ += got;
  at_end_ = got == 0;
  return got > 0;
}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = 0;
  while (true) {
    const char* const from = buffer_.data() + begin_;
    const auto size = end_ - begin_;
    const auto* const found = static_cast<const char*>(std::memchr(from + searched, '\n', size - searched));
    const bool is_too_long = found == nullptr && size >= longest;
    if (found == nullptr && !is_too_long) {
      searched = size;
      if (fill()) continue;
      if (size == 0) return false;
    }
    const auto length = found != nullptr ? static_cast<std::size_t>(found - from) : size;
    line = {from, length};
    begin_ += found != nullptr ? length + 1 : length;
    const bool was_rest = std::exchange(skips_, is_too_long);
    if (was_rest) {  // Of a line whose beginning has been told.
      if (at_end_ && begin_ == end_) return false;
      searched = 0;
      continue;
    }
    if (line.ends_with('\r')) line.remove_suffix(1);
    is_cut_off_ = found == nullptr && !is_too_long;
    ++number_;
    return true;
  }
}

}  // namespace reports
