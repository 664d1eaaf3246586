#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "model/result.h"

namespace reports {

using namespace model;

/// What went wrong with the outside world, in words that name the file: `out/curves.csv: No space left on device`.
using Problem = std::string;

/// A file that is written from front to back through one buffer. The first error is kept, later writes are ignored, and
/// close() tells; so a writer of rows need not look after each field.
class File {
 public:
  File() = default;
  ~File();
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;

  /// Creates the file or empties it. A failed open is a file with a problem.
  static File create(std::string path);
  /// Adds to what is there.
  static File append(std::string path);

  void write(std::string_view text) {
    if (text.size() <= capacity - used_) {
      text.copy(buffer_.data() + used_, text.size());
      used_ += text.size();
    } else {
      write_slowly(text);
    }
  }
  void put(char character) { *room(1) = character, ++used_; }
  /// At least `count` writable bytes (at most 64); `took` says how many of them were used.
  char* room(std::size_t count) {
    if (capacity - used_ < count) flush();
    return buffer_.data() + used_;
  }
  void took(std::size_t count) { used_ += count; }

  /// Hands everything to the system and closes; the first error of the file's whole life. Closing twice is harmless.
  Result<void, Problem> close();
  bool has_problem() const { return !problem_.empty(); }
  const std::string& path() const { return path_; }

 private:
  static constexpr std::size_t capacity = 1 << 18;

  static File open(std::string path, int flags);
  void write_slowly(std::string_view text);
  void flush();
  void fail(int error);

  std::string path_;
  std::string buffer_;
  std::size_t used_ = 0;
  int descriptor_ = -1;
  Problem problem_;
};

/// Writes a whole small file.
Result<void, Problem> write_file(const std::string& path, std::string_view text);
/// Writes a whole small file aside and renames it, so that a reader sees the old text or the new one.
Result<void, Problem> replace_file(const std::string& path, std::string_view text);
Result<void, Problem> append_file(const std::string& path, std::string_view text);
Result<std::string, Problem> read_file(const std::string& path);

/// The words for `path` and a value of errno.
Problem problem_with(std::string_view path, int error);

}  // namespace reports
