#include "sim/kernel/scope.h"

#include <cstdlib>
#include <utility>

#include "model/frame_pool.h"

namespace sim {

// The frame around a top-level task. It ends by itself, and with it goes the task: so nobody has to destroy a frame
// from inside it, and no event is needed to sweep up.
struct Scope::Root {
  struct promise_type {
    Root get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_never final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    [[noreturn]] void unhandled_exception() const noexcept { std::abort(); }
    static void* operator new(std::size_t size) { return model::allocate_frame(size); }
    static void operator delete(void* frame, std::size_t size) { model::free_frame(frame, size); }
  };

  std::coroutine_handle<> frame;
};

Scope::Root Scope::run(Scope& scope, std::uint32_t index, model::Task<void> task) {
  co_await task;
  scope.forget(index);
}

void Scope::spawn(model::Task<void> task) {
  std::uint32_t index = free_;
  if (index == none) {
    index = static_cast<std::uint32_t>(records_.size());
    records_.emplace_back();
  } else {
    free_ = records_[index].older;
  }
  const Root root = run(*this, index, std::move(task));
  records_[index] = {root.frame, kernel_.schedule_at<&Scope::start>(kernel_.now(), this, index), newest_, none};
  if (newest_ != none) records_[newest_].newer = index;
  newest_ = index;
  ++size_;
}

void Scope::start(std::uint64_t index) {
  Record& record = records_[index];
  record.start = {};
  kernel_.resume(record.root, this);
}

void Scope::forget(std::uint32_t index) {
  Record& record = records_[index];
  if (record.older != none) records_[record.older].newer = record.newer;
  if (record.newer != none) {
    records_[record.newer].older = record.older;
  } else {
    newest_ = record.older;
  }
  record = {nullptr, {}, free_, none};
  free_ = index;
  --size_;
}

void Scope::crash() {
  CHECK(kernel_.running_scope() != this, "a task crashes its own scope");
  kernel_.forget(this);
  while (newest_ != none) {
    const std::uint32_t index = newest_;
    kernel_.cancel(records_[index].start);
    const std::coroutine_handle<> root = records_[index].root;
    forget(index);
    root.destroy();
  }
}

}  // namespace sim
