#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reports/file.h"

namespace reports {

/// Reads an input of any size piece by piece.
class BlockSource {
 public:
  virtual ~BlockSource() = default;
  /// Puts up to `count` bytes (at least 1) to `to`; 0 at the end, and where it cannot be read further.
  virtual std::size_t read(char* to, std::size_t count) = 0;
  /// Empty as long as all went well; an input that is cut off is a problem as well.
  const Problem& problem() const { return problem_; }

 protected:
  Problem problem_;
};

/// Asked between pieces, and while one is waited for: true ends the input as a problem.
using ShouldStop = bool (*)();

/// A file, or standard input for `-`; gzip and zstd are told by their first bytes and unpacked, members and frames one
/// after the other too. `stop` may be null.
Result<std::unique_ptr<BlockSource>, Problem> open_blocks(const std::string& path, ShouldStop stop = nullptr);
/// A text in memory, for tests; unpacked as well.
std::unique_ptr<BlockSource> blocks_of(std::string text);

/// Cuts an input into lines, in the memory of one block. Of a line longer than `longest` the rest is left out.
class LineReader {
 public:
  static constexpr std::size_t longest = std::size_t{1} << 20;

  explicit LineReader(std::unique_ptr<BlockSource> source) : source_(std::move(source)), buffer_(2 * longest) {}

  /// The next line without its end (`\n`, `\r\n`, or the input's end), valid until the next call; false at the end.
  bool next(std::string_view& line);
  /// Of the last line, from 1.
  std::uint64_t number() const { return number_; }
  /// Whether the last line was the input's last and has no end.
  bool is_cut_off() const { return is_cut_off_; }
  const Problem& problem() const { return source_->problem(); }

 private:
  bool fill();

  std::unique_ptr<BlockSource> source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t number_ = 0;
  bool at_end_ = false;
  bool skips_ = false;
  bool is_cut_off_ = false;
};

}  // namespace reports
