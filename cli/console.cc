#include "cli/console.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace cli {

namespace {

constexpr double seconds_between_lines = 60;

bool is_terminal(std::FILE* stream) {
  const int descriptor = ::fileno(stream);
  return descriptor >= 0 && ::isatty(descriptor) == 1;
}

}  // namespace

Console::Console(std::FILE* out, std::FILE* err, Environment environment)
    : out_(out), err_(err), environment_(environment) {
  const bool dumb = variable("TERM").empty() || variable("TERM") == "dumb";
  live_ = !dumb && is_terminal(err);
}

std::string_view Console::variable(const char* name) const {
  const char* value = environment_(name);
  return value == nullptr ? std::string_view{} : std::string_view{value};
}

void Console::write(std::FILE* stream, std::string_view text) {
  if (stream == out_ && (failed_ || reader_gone_)) return;
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stream) == text.size() || stream != out_) return;
  (errno == EPIPE ? reader_gone_ : failed_) = true;
}

void Console::print(std::string_view text) {
  end_progress();
  write(out_, text);
}

void Console::error(std::string_view message) { note(fmt::format("flotsam: {}", message)); }

void Console::note(std::string_view message) {
  end_progress();
  // What was printed before stands before it where both streams end in one place.
  (void)flush();
  write(err_, fmt::format("{}\n", message));
  std::fflush(err_);
}

void Console::progress(std::string_view line, double elapsed_seconds) {
  if (quiet_) return;
  if (live_) {
    write(err_, fmt::format("\r\x1b[K{}", line));
    live_shown_ = true;
  } else {
    if (elapsed_seconds - progress_shown_at_ < seconds_between_lines) return;
    progress_shown_at_ = elapsed_seconds;
    write(err_, fmt::format("{}\n", line));
  }
  std::fflush(err_);
}

void Console::end_progress() {
  if (!live_shown_) return;
  live_shown_ = false;
  write(err_, "\r\x1b[K");
  std::fflush(err_);
}

bool Console::flush() {
  errno = 0;
  if (!failed_ && !reader_gone_ && std::fflush(out_) != 0) (errno == EPIPE ? reader_gone_ : failed_) = true;
  return !failed_;
}

}  // namespace cli
