#pragma once

#include <csignal>

namespace cli {

/// While one lives, the first SIGINT or SIGTERM is noted instead of ending the process (a second one ends it at once),
/// and a write to a reader that is gone or over the limit of a file's size is an error of that write. One at a time.
class SignalScope {
 public:
  SignalScope();
  ~SignalScope();
  SignalScope(const SignalScope&) = delete;
  SignalScope& operator=(const SignalScope&) = delete;

  /// 0, or 128 and the number of the signal that came: 130 or 143.
  static int interrupted();

 private:
  struct sigaction interrupt_before_ {};
  struct sigaction terminate_before_ {};
  struct sigaction pipe_before_ {};
  struct sigaction file_size_before_ {};
};

}  // namespace cli
