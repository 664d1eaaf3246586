#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace cli {

/// Where a command prints: results to one stream, progress and errors to the other.
///
/// A reader that goes away (`| head`) is no error: what would follow is dropped and the command goes on, so that the
/// folder it writes is complete. Any other failed write is remembered and makes the command end with 70.
class Console {
 public:
  /// `environment` looks a variable up, as std::getenv; tests give their own.
  using Environment = const char* (*)(const char* name);
  Console(std::FILE* out, std::FILE* err, Environment environment);

  /// A result; `text` has its own line ends.
  void print(std::string_view text);
  template <class... Arguments>
  void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    print(std::string_view{fmt::format(format, std::forward<Arguments>(arguments)...)});
  }
  /// One message on the error stream, `flotsam: ` before it.
  void error(std::string_view message);
  /// One message on the error stream as it is, with a line end.
  void note(std::string_view message);
  /// Shows how far a command is: on a terminal in place of the last such line, elsewhere as a line once a minute.
  void progress(std::string_view line, double elapsed_seconds);
  /// Removes a live line before something else is printed.
  void end_progress();

  /// An environment variable; empty when unset.
  std::string_view variable(const char* name) const;
  bool github_actions() const { return variable("GITHUB_ACTIONS") == "true"; }
  void set_quiet(bool quiet) { quiet_ = quiet; }

  /// Writes out what is buffered; false when the results could not be written though somebody was reading.
  bool flush();

 private:
  void write(std::FILE* stream, std::string_view text);

  std::FILE* out_;
  std::FILE* err_;
  Environment environment_;
  bool live_ = false;
  bool live_shown_ = false;
  bool quiet_ = false;
  bool failed_ = false;
  bool reader_gone_ = false;
  double progress_shown_at_ = 0;
};

}  // namespace cli
