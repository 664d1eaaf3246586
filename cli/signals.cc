#include "cli/signals.h"

#include <atomic>
#include <unistd.h>

namespace cli {

namespace {

std::atomic<int> signal_seen{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only touch what takes no lock");

void note_signal(int signal) {
  if (signal_seen.exchange(signal) != 0) ::_exit(128 + signal);
}

void set_handler(int signal, void (*handler)(int), struct sigaction& before) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  ::sigaction(signal, nullptr, &before);
  // Who started us with a signal ignored (nohup, a shell's background job) wants it ignored.
  if (handler == &note_signal && before.sa_handler == SIG_IGN) return;
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

SignalScope::SignalScope() {
  signal_seen = 0;
  set_handler(SIGINT, &note_signal, interrupt_before_);
  set_handler(SIGTERM, &note_signal, terminate_before_);
  set_handler(SIGPIPE, SIG_IGN, pipe_before_);
  set_handler(SIGXFSZ, SIG_IGN, file_size_before_);
}

SignalScope::~SignalScope() {
  ::sigaction(SIGINT, &interrupt_before_, nullptr);
  ::sigaction(SIGTERM, &terminate_before_, nullptr);
  ::sigaction(SIGPIPE, &pipe_before_, nullptr);
  ::sigaction(SIGXFSZ, &file_size_before_, nullptr);
}

int SignalScope::interrupted() {
  const int signal = signal_seen.load();
  return signal == 0 ? 0 : 128 + signal;
}

}  // namespace cli
