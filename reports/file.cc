#include "reports/file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace reports {

Problem problem_with(std::string_view path, int error) {
  // strerror_r's GNU form: strerror itself is not safe where worlds run side by side.
  char text[128];
  return std::string{path} + ": " + strerror_r(error, text, sizeof text);
}

File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

File::File(File&& other) noexcept
    : path_(std::move(other.path_)),
      buffer_(std::move(other.buffer_)),
      used_(std::exchange(other.used_, 0)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      problem_(std::move(other.problem_)) {}

File& File::operator=(File&& other) noexcept {
  if (this == &other) return *this;
  if (descriptor_ >= 0) ::close(descriptor_);
  path_ = std::move(other.path_);
  buffer_ = std::move(other.buffer_);
  used_ = std::exchange(other.used_, 0);
  descriptor_ = std::exchange(other.descriptor_, -1);
  problem_ = std::move(other.problem_);
  return *this;
}

File File::open(std::string path, int flags) {
  File file;
  file.path_ = std::move(path);
  file.buffer_.resize(capacity);
  file.descriptor_ = ::open(file.path_.c_str(), flags | O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file.descriptor_ < 0) file.fail(errno);
  return file;
}

File File::create(std::string path) { return open(std::move(path), O_TRUNC); }

File File::append(std::string path) { return open(std::move(path), O_APPEND); }

void File::fail(int error) {
  if (problem_.empty()) problem_ = problem_with(path_, error);
}

void File::write_slowly(std::string_view text) {
  while (!text.empty()) {
    if (used_ == capacity) flush();
    const auto count = std::min(text.size(), capacity - used_);
    text.copy(buffer_.data() + used_, count);
    used_ += count;
    text.remove_prefix(count);
  }
}

void File::flush() {
  std::size_t written = 0;
  while (written < used_ && problem_.empty()) {
    const auto count = ::write(descriptor_, buffer_.data() + written, used_ - written);
    if (count >= 0) {
      written += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      fail(errno);
    }
  }
  used_ = 0;
}

Result<void, Problem> File::close() {
  if (descriptor_ >= 0) {
    flush();
    // Linux frees the descriptor even when close reports an error; full disks and quotas may show up only here.
    if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) fail(errno);
  }
  if (has_problem()) return Failed{problem_};
  return {};
}

Result<void, Problem> write_file(const std::string& path, std::string_view text) {
  auto file = File::create(path);
  file.write(text);
  return file.close();
}

Result<void, Problem> append_file(const std::string& path, std::string_view text) {
  auto file = File::append(path);
  file.write(text);
  return file.close();
}

Result<void, Problem> replace_file(const std::string& path, std::string_view text) {
  // A device or a pipe, as --summary /dev/stdout, is written to and not replaced.
  struct stat existing {};
  if (::stat(path.c_str(), &existing) == 0 && !S_ISREG(existing.st_mode)) return write_file(path, text);

  const std::string aside = path + ".partial-" + std::to_string(::getpid());
  if (auto written = write_file(aside, text); !written) {
    ::unlink(aside.c_str());
    // The user knows the file by its own name.
    return Failed{path + written.error().substr(aside.size())};
  }
  if (::rename(aside.c_str(), path.c_str()) != 0) {
    const int error = errno;
    ::unlink(aside.c_str());
    return Failed{problem_with(path, error)};
  }
  return {};
}

Result<std::string, Problem> read_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return Failed{problem_with(path, errno)};
  std::string text;
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && status.st_size > 0)
    text.reserve(static_cast<std::size_t>(status.st_size) + 1);
  std::string chunk(1 << 16, '\0');
  while (true) {
    const auto count = ::read(descriptor, chunk.data(), chunk.size());
    if (count > 0) {
      text.append(chunk.data(), static_cast<std::size_t>(count));
    } else if (count == 0) {
      ::close(descriptor);
      return text;
    } else if (errno != EINTR) {
      const int error = errno;
      ::close(descriptor);
      return Failed{problem_with(path, error)};
    }
  }
}

}  // namespace reports
