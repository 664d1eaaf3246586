#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "model/task.h"
#include "sim/kernel/kernel.h"

namespace sim {

/// Owns the running top-level tasks of one process: what the process takes with it when it crashes.
///
/// The kernel must outlive it, and so must whatever the tasks' parameters refer to.
class Scope {
 public:
  explicit Scope(Kernel& kernel) : kernel_(kernel) {}
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ~Scope() { crash(); }

  /// Takes the task over and starts it by an event at now, never inside this call. Its frame goes when the task is
  /// done.
  void spawn(model::Task<void> task);

  /// Destroys all tasks where they wait, newest first; those that have not started never do. No code of theirs runs but
  /// destructors. An event of the kernel, or of another scope's task: never called from a task of this scope.
  void crash();

  /// Nothing of it goes on until it is let go on: a process that is stopped.
  void hold() { kernel_.hold(this); }
  void release() { kernel_.release(this); }

  /// Tasks spawned and not done.
  std::size_t size() const { return size_; }

 private:
  struct Root;
  struct Record {
    std::coroutine_handle<> root;
    Timer start;
    std::uint32_t older;  // Among the free records: the next free one.
    std::uint32_t newer;
  };
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  static Root run(Scope& scope, std::uint32_t index, model::Task<void> task);
  void start(std::uint64_t index);
  void forget(std::uint32_t index);

  Kernel& kernel_;
  std::vector<Record> records_;
  std::uint32_t free_ = none;
  std::uint32_t newest_ = none;
  std::size_t size_ = 0;
};

}  // namespace sim
