#pragma once

#include <coroutine>
#include <cstdlib>
#include <optional>
#include <utility>

#include "model/check.h"
#include "model/frame_pool.h"

namespace model {

template <class T>
class Task;

namespace detail {

struct PromiseBase {
  std::coroutine_handle<> waiting_parent;

  // No symmetric transfer: with g++ 12 it overflows the stack at -O0 and under sanitizers when a loop awaits children
  // that finish without waiting. The parent learns from await_suspend's answer whether the child is done already.
  struct FinalAwaiter {
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> self) const noexcept {
      if (auto parent = std::exchange(self.promise().waiting_parent, nullptr)) parent.resume();
    }
    void await_resume() const noexcept {}
  };

  std::suspend_always initial_suspend() const noexcept { return {}; }
  FinalAwaiter final_suspend() const noexcept { return {}; }
  [[noreturn]] void unhandled_exception() const noexcept { std::abort(); }
  static void* operator new(std::size_t size) { return allocate_frame(size); }
  static void operator delete(void* frame, std::size_t size) { free_frame(frame, size); }
};

template <class T>
struct Promise : PromiseBase {
  std::optional<T> value;
  Task<T> get_return_object();
  template <class U>
  void return_value(U&& result) {
    value.emplace(std::forward<U>(result));
  }
  T take() { return std::move(*value); }
};

template <>
struct Promise<void> : PromiseBase {
  Task<void> get_return_object();
  void return_void() const noexcept {}
  void take() const noexcept {}
};

}  // namespace detail

/// A coroutine that has not begun. It runs when awaited (or when its scope starts it) and is owned by exactly one
/// awaiter or scope; destroying it destroys its frame and all frames below, wherever they wait.
///
/// Write `auto x = co_await f(a, b);` on a line of its own: g++ 12 gets other forms wrong.
template <class T>
class [[nodiscard]] Task {
 public:
  using promise_type = detail::Promise<T>;

  explicit Task(std::coroutine_handle<promise_type> frame) : frame_(frame) {}
  Task(Task&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      if (frame_) frame_.destroy();
      frame_ = std::exchange(other.frame_, nullptr);
    }
    return *this;
  }
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  ~Task() {
    if (frame_) frame_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> parent) {
    frame_.resume();
    if (frame_.done()) return false;
    frame_.promise().waiting_parent = parent;
    return true;
  }
  T await_resume() { return frame_.promise().take(); }

  /// For the owner that is no coroutine: runs to the first wait, and tells whether there was none.
  bool start() {
    frame_.resume();
    return frame_.done();
  }
  bool done() const { return frame_.done(); }

 private:
  std::coroutine_handle<promise_type> frame_;
};

namespace detail {
template <class T>
Task<T> Promise<T>::get_return_object() {
  return Task<T>{std::coroutine_handle<Promise<T>>::from_promise(*this)};
}
inline Task<void> Promise<void>::get_return_object() {
  return Task<void>{std::coroutine_handle<Promise<void>>::from_promise(*this)};
}
}  // namespace detail

}  // namespace model
