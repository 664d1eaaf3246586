#pragma once

#include <algorithm>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "model/check.h"
#include "model/time.h"
#include "sim/kernel/queue.h"

namespace sim {

using model::Duration;
using model::SimTime;

/// Names a scheduled event from outside. The default names none. It may outlive the event: once that has run or was
/// cancelled, the generation no longer fits, and the name means nothing.
struct Timer {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;
  friend constexpr bool operator==(Timer, Timer) = default;
};

/// Names an object that waits (in a coroutine's frame, say) without pointing to it: it finds nothing once the object
/// has closed it.
struct Ticket {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;
  friend constexpr bool operator==(Ticket, Ticket) = default;
};

/// A periodic tick's place among the ticks of one instant. No two pending ticks may share time and key.
struct TickKey {
  std::uint32_t partition;  ///< Below 2^31.
  std::uint32_t task;       ///< Whatever tells the ticks of one partition apart.
};

/// What an event runs: `self` and `argument` as they were scheduled.
using Callback = void (*)(void* self, std::uint64_t argument);

/// The only clock. Runs events one after another in the order of (time, lane, key): what was scheduled for one instant
/// runs in the order in which it was scheduled, and the periodic ticks of that instant come after it, in the order of
/// their keys.
///
/// Events are pooled records (function, object, one number): scheduling and running them allocates nothing once the
/// pools have grown.
class Kernel {
 public:
  Kernel() = default;
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  SimTime now() const { return SimTime{Duration{current_time_us_}}; }
  /// Events executed since the start, those cancelled not among them.
  std::uint64_t event_count() const { return event_count_; }
  /// Events that are scheduled and not cancelled.
  std::size_t pending_count() const { return queue_.size() - dead_count_; }

  /// Runs `callback(self, argument)` at `at`, which must not be before now. An event scheduled for now runs after the
  /// current.
  Timer schedule_at(SimTime at, Callback callback, void* self, std::uint64_t argument) {
    return push(at, next_sequence_++, callback, self, argument);
  }
  Timer schedule_after(Duration delay, Callback callback, void* self, std::uint64_t argument) {
    return schedule_at(now() + delay, callback, self, argument);
  }
  /// Runs the tick of `key` at `at`, which must not be before now.
  Timer schedule_tick(SimTime at, TickKey key, Callback callback, void* self, std::uint64_t argument) {
    return push(at, to_key(key), callback, self, argument);
  }

  /// The same for a method that takes the argument or nothing: `kernel.schedule_at<&Store::land>(at, this, request)`.
  template <auto method, class Class>
  Timer schedule_at(SimTime at, Class* self, std::uint64_t argument = 0) {
    return schedule_at(at, &call_method<method, Class>, self, argument);
  }
  template <auto method, class Class>
  Timer schedule_after(Duration delay, Class* self, std::uint64_t argument = 0) {
    return schedule_at(now() + delay, &call_method<method, Class>, self, argument);
  }
  template <auto method, class Class>
  Timer schedule_tick(SimTime at, TickKey key, Class* self, std::uint64_t argument = 0) {
    return schedule_tick(at, key, &call_method<method, Class>, self, argument);
  }

  /// Whether the event is still to run.
  bool is_pending(Timer timer) const { return is_live(timer.slot, timer.generation); }
  /// Takes the event back if it has not run, and tells whether it did so. `timer` names none afterwards.
  bool cancel(Timer& timer);

  /// Whether a tick at `at` comes after the event being executed (after run_until: after all events it could have
  /// executed). A task that skipped idle ticks wakes at the first point of its grid for which this holds.
  bool tick_is_ahead(SimTime at, TickKey key) const {
    const QueueEntry tick{at.time_since_epoch().count(), to_key(key), 0};
    return QueueEntry{current_time_us_, current_key_, 0} < tick;
  }

  /// Executes every event up to and including `end`, which must not be before now, and leaves now() there.
  void run_until(SimTime end);
  /// Executes the next event, if there is one, and tells whether there was.
  bool step();
  /// The time of the next event.
  std::optional<SimTime> next_time();

  /// Opens a ticket to `self`, an object that closes it before it goes.
  Ticket open_ticket(void* self) {
    const std::uint32_t slot = take_slot();
    slots_[slot].self = self;
    return {slot, slots_[slot].generation};
  }
  /// The object, or null if the ticket is closed.
  void* find(Ticket ticket) const {
    return is_live(ticket.slot, ticket.generation) ? slots_[ticket.slot].self : nullptr;
  }
  void close(Ticket& ticket) {
    if (is_live(ticket.slot, ticket.generation)) free_slot(ticket.slot);
    ticket = {};
  }

  /// Resumes a task's frame that waits, on behalf of its scope. Only events do so: a task never runs inside another's
  /// call.
  void resume(std::coroutine_handle<> frame, const void* scope) {
    if (!held_scopes_.empty() && is_held(scope)) return held_frames_.push_back({frame, scope});
    CHECK(!is_task_running_, "a task was resumed inside another");
    is_task_running_ = true;
    running_scope_ = scope;
    frame.resume();
    running_scope_ = nullptr;
    is_task_running_ = false;
  }
  /// No task of the scope goes on any more, as those of a process that is stopped; what would have gone on is kept.
  void hold(const void* scope) { held_scopes_.push_back(scope); }
  /// It goes on, in the order in which it would have, by an event at now.
  void release(const void* scope);
  /// The scope's frames are gone, and with them what was kept; it is held no more.
  void forget(const void* scope);
  bool is_held(const void* scope) const {
    return std::find(held_scopes_.begin(), held_scopes_.end(), scope) != held_scopes_.end();
  }
  /// Whose task is running: null if none, or if it belongs to no scope.
  const void* running_scope() const { return running_scope_; }

  /// Back to the start of time with nothing scheduled and all memory kept. Every timer and ticket of before means
  /// nothing.
  void reset();

 private:
  struct alignas(32) Slot {
    Callback callback = nullptr;
    void* self = nullptr;
    std::uint64_t argument = 0;
    std::uint32_t generation = 1;  // Of the present use, or of the next; never 0.
    std::uint32_t next_free = 0;
  };
  static_assert(sizeof(Slot) == 32);
  static constexpr std::uint32_t no_slot = std::numeric_limits<std::uint32_t>::max();

  template <auto method, class Class>
  static void call_method(void* self, std::uint64_t argument) {
    if constexpr (std::is_invocable_v<decltype(method), Class*, std::uint64_t>) {
      (static_cast<Class*>(self)->*method)(argument);
    } else {
      (static_cast<Class*>(self)->*method)();
    }
  }

  static std::uint64_t to_key(TickKey key) {
    CHECK(key.partition < std::uint32_t{1} << 31);
    return lane_bit | static_cast<std::uint64_t>(key.partition) << 32 | key.task;
  }

  // A freed slot has the generation of its next use already, which nobody can name yet.
  bool is_live(std::uint32_t slot, std::uint32_t generation) const {
    return generation != 0 && slots_[slot].generation == generation;
  }

  std::uint32_t take_slot() {
    if (free_slot_ == no_slot) [[unlikely]]
      add_slot();
    const std::uint32_t slot = free_slot_;
    free_slot_ = slots_[slot].next_free;
    return slot;
  }
  void free_slot(std::uint32_t slot) {
    // After 2^32 uses of one slot a name could fit again; it would have to be kept all that time.
    if (++slots_[slot].generation == 0) slots_[slot].generation = 1;
    slots_[slot].next_free = free_slot_;
    free_slot_ = slot;
  }
  void add_slot();

  Timer push(SimTime at, std::uint64_t key, Callback callback, void* self, std::uint64_t argument) {
    const std::int64_t time_us = at.time_since_epoch().count();
    CHECK(time_us >= current_time_us_, "event in the past: {} us < {} us", time_us, current_time_us_);
    const std::uint32_t index = take_slot();
    Slot& slot = slots_[index];
    slot.callback = callback;
    slot.self = self;
    slot.argument = argument;
    queue_.push({time_us, key, static_cast<std::uint64_t>(slot.generation) << 32 | index});
    return {index, slot.generation};
  }

  bool is_dead(std::uint64_t what) const {
    return slots_[static_cast<std::uint32_t>(what)].generation != static_cast<std::uint32_t>(what >> 32);
  }
  bool execute(const QueueEntry& entry);
  void resume_released();

  TwoLevelQueue queue_;
  std::vector<Slot> slots_;
  std::uint32_t free_slot_ = no_slot;
  struct HeldFrame {
    std::coroutine_handle<> frame;
    const void* scope;
  };
  std::vector<const void*> held_scopes_;
  std::vector<HeldFrame> held_frames_;  // In the order in which they would have gone on.
  bool is_task_running_ = false;
  const void* running_scope_ = nullptr;
  std::int64_t current_time_us_ = 0;
  std::uint64_t current_key_ = 0;  // Of the event being executed.
  std::uint64_t next_sequence_ = 1;
  std::uint64_t event_count_ = 0;
  std::size_t dead_count_ = 0;  // Entries of the queue whose event was cancelled.
};

}  // namespace sim
