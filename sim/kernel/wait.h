#pragma once

#include <coroutine>
#include <cstdint>
#include <optional>
#include <utility>

#include "model/check.h"
#include "sim/kernel/kernel.h"

namespace sim {

/// How a wait ended. A sleep that lasted its whole time `timed_out`.
enum class WaitEnd : std::uint8_t { answered, timed_out, interrupted };

/// Waits for some time: `co_await sleep(kernel, 5ms);`. A sleep of zero still lets everything scheduled for now go
/// first.
class [[nodiscard]] Sleep {
 public:
  Sleep(Kernel& kernel, Duration duration) : kernel_(kernel), duration_(duration) {}
  Sleep(const Sleep&) = delete;
  Sleep& operator=(const Sleep&) = delete;
  ~Sleep() {
    if (timer_ != Timer{}) kernel_.cancel(timer_);
  }

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> frame) {
    frame_ = frame;
    scope_ = kernel_.running_scope();
    timer_ = kernel_.schedule_after(duration_, &wake, this, 0);
  }
  void await_resume() const noexcept {}

 private:
  static void wake(void* self, std::uint64_t) {
    auto& sleep = *static_cast<Sleep*>(self);
    sleep.timer_ = {};
    sleep.kernel_.resume(sleep.frame_, sleep.scope_);
  }

  Kernel& kernel_;
  Duration duration_;
  std::coroutine_handle<> frame_;
  const void* scope_ = nullptr;
  Timer timer_;
};

class Wait;

/// What Thread.interrupt() is in the Java: a flag of a task, which ends the task's present or next interruptible wait,
/// and which that wait consumes. One task is one thread: it has at most one such wait at a time.
class Interrupt {
 public:
  explicit Interrupt(Kernel& kernel) : kernel_(kernel) {}
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// Ends the wait, by an event at now, or else sets the flag.
  inline void interrupt();
  bool is_set() const { return is_set_; }
  void clear() { is_set_ = false; }

 private:
  friend class Wait;

  Kernel& kernel_;
  bool is_set_ = false;
  Ticket waiting_;
};

/// What may end a wait other than its answer.
struct WaitOptions {
  std::optional<Duration> timeout = {};  ///< Counted from the co_await; none: waits for ever.
  Interrupt* interrupt = nullptr;        ///< Must live until the co_await has begun.
};

/// What the waits share that can end in several ways. The first end counts; later ones find the ticket closed.
class Wait {
 public:
  Wait(const Wait&) = delete;
  Wait& operator=(const Wait&) = delete;

  /// As in the Java, an answer that is there already is returned whether or not the flag is set.
  bool await_ready() {
    if (has_ended_) return true;
    if (options_.interrupt == nullptr || !options_.interrupt->is_set_) return false;
    options_.interrupt->is_set_ = false;
    end(WaitEnd::interrupted);
    return true;
  }
  void await_suspend(std::coroutine_handle<> frame) {
    CHECK(!frame_, "a wait is awaited once");
    frame_ = frame;
    scope_ = kernel_.running_scope();
    if (options_.interrupt != nullptr) {
      CHECK(kernel_.find(options_.interrupt->waiting_) == nullptr, "two waits of one task");
      options_.interrupt->waiting_ = ticket_;
    }
    if (options_.timeout) timer_ = kernel_.schedule_after(*options_.timeout, &time_out, this, 0);
  }

 protected:
  Wait(Kernel& kernel, WaitOptions options) : kernel_(kernel), options_(options), ticket_(kernel.open_ticket(this)) {}
  ~Wait() {
    kernel_.close(ticket_);
    kernel_.cancel(timer_);
  }

  Ticket ticket() const { return ticket_; }
  WaitEnd how() const { return how_; }

  /// Ends the wait from outside; its frame goes on by an event at now.
  void end(WaitEnd how) {
    has_ended_ = true;
    how_ = how;
    kernel_.close(ticket_);
    kernel_.cancel(timer_);
    if (frame_) timer_ = kernel_.schedule_at(kernel_.now(), &go_on, this, 0);
  }

 private:
  friend class Interrupt;

  static void go_on(void* self, std::uint64_t) {
    auto& wait = *static_cast<Wait*>(self);
    wait.timer_ = {};
    wait.kernel_.resume(wait.frame_, wait.scope_);
  }
  static void time_out(void* self, std::uint64_t) {
    auto& wait = *static_cast<Wait*>(self);
    wait.has_ended_ = true;
    wait.how_ = WaitEnd::timed_out;
    wait.kernel_.close(wait.ticket_);
    go_on(self, 0);
  }

  Kernel& kernel_;
  WaitOptions options_;
  std::coroutine_handle<> frame_;
  const void* scope_ = nullptr;
  Ticket ticket_;  // Open while the wait can still be ended from outside.
  Timer timer_;    // The time-out, then the event that resumes the frame.
  bool has_ended_ = false;
  WaitEnd how_ = WaitEnd::answered;
};

inline void Interrupt::interrupt() {
  if (void* const wait = kernel_.find(waiting_)) {
    static_cast<Wait*>(wait)->end(WaitEnd::interrupted);
  } else {
    is_set_ = true;
  }
}

/// A sleep that an interrupt may cut short: `const WaitEnd end = co_await sleep(kernel, 5ms, &interrupt);`.
class [[nodiscard]] InterruptibleSleep : public Wait {
 public:
  InterruptibleSleep(Kernel& kernel, Duration duration, Interrupt* interrupt)
      : Wait(kernel, WaitOptions{duration, interrupt}) {}
  WaitEnd await_resume() const noexcept { return how(); }
};

inline Sleep sleep(Kernel& kernel, Duration duration) { return {kernel, duration}; }
/// `interrupt` may be null.
inline InterruptibleSleep sleep(Kernel& kernel, Duration duration, Interrupt* interrupt) {
  return {kernel, duration, interrupt};
}

/// How a call ended, and the value if it was answered.
template <class T>
class [[nodiscard]] Answer {
 public:
  explicit Answer(WaitEnd why) : end(why) {}
  explicit Answer(T answer) : end(WaitEnd::answered), value(std::move(answer)) {}

  explicit operator bool() const { return value.has_value(); }
  const T& operator*() const {
    CHECK(value.has_value());
    return *value;
  }
  const T* operator->() const { return &**this; }

  WaitEnd end;
  std::optional<T> value;  ///< Present exactly if `end` is answered.
};

template <class T>
class Call;

/// The way back to a call, for whoever works on it. A plain name that outlives the caller: an answer to a caller that
/// is gone, has given up, or has its answer already is dropped.
template <class T>
class Reply {
 public:
  Reply() = default;

  /// Stores the value with the caller and lets it go on by an event at now: never inside this call.
  void answer(Kernel& kernel, T value) const {
    if (void* const wait = kernel.find(ticket_)) {
      static_cast<Call<T>*>(static_cast<Wait*>(wait))->accept(std::move(value));
    }
  }
  /// Whether somebody still waits for the answer. Not for deciding what happens: no node of a cluster knows this of
  /// another.
  bool is_awaited(const Kernel& kernel) const { return kernel.find(ticket_) != nullptr; }

  /// The same as one number, as an event's argument carries it.
  std::uint64_t to_argument() const { return static_cast<std::uint64_t>(ticket_.generation) << 32 | ticket_.slot; }
  static Reply from_argument(std::uint64_t argument) {
    return Reply{Ticket{static_cast<std::uint32_t>(argument), static_cast<std::uint32_t>(argument >> 32)}};
  }

 private:
  friend class Call<T>;
  explicit Reply(Ticket ticket) : ticket_(ticket) {}

  Ticket ticket_;
};

/// One request's answer, as the caller waits for it. A local of the calling task:
///
///     Call<Outcome> call{kernel, {.timeout = 30s}};
///     store.put(segment, call.reply());
///     const auto answer = co_await call;
///
/// The answer may come before the co_await, which then does not wait.
template <class T>
class [[nodiscard]] Call : public Wait {
 public:
  explicit Call(Kernel& kernel, WaitOptions options = {}) : Wait(kernel, options) {}

  Reply<T> reply() const { return Reply<T>{ticket()}; }

  Answer<T> await_resume() {
    if (value_) return Answer<T>{std::move(*value_)};
    return Answer<T>{how()};
  }

 private:
  friend class Reply<T>;
  void accept(T value) {
    value_.emplace(std::move(value));
    end(WaitEnd::answered);
  }

  std::optional<T> value_;
};

}  // namespace sim
