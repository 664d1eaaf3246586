#pragma once

#include <memory>
#include <vector>

#include "sim/faults/faults.h"
#include "sim/kernel/kernel.h"
#include "sim/run_result.h"
#include "sim/trace/trace.h"

namespace sim {

/// Drives the plan: starts and heals each row's fault at its times, asks the ones in force, counts what they hit.
class FaultBoard {
 public:
  FaultBoard(Kernel& kernel, Trace& trace, const Scenario& scenario, Seed seed);

  /// Schedules every window of every row.
  void begin(Breakable& world);

  RequestEffect on_request(const StoreRequest& request);
  CallEffect on_call(const StorageCall& call);
  /// The fault that loses the message.
  FaultIndex loses(Link link, std::uint64_t key);
  /// Whether some fault of the plan ever asks about messages.
  bool judges_messages() const { return judges_messages_; }
  std::optional<Repetition> repeats(Link link, std::uint64_t key);
  /// Whether some fault of the plan ever asks about publishes.
  bool judges_publishes() const { return judges_publishes_; }
  PublishEffect on_publish(const PublishRequest& request);
  /// What a successful upload returns: 0 where no fault says otherwise.
  struct CustomMetadataSize {
    std::int32_t size = 0;
    FaultIndex fault;
  };
  CustomMetadataSize custom_metadata_size(const StorageCall& call);
  /// What a request takes longer by, over all faults in force, and the last of them; a hit of each that slows it.
  struct SlowDown {
    Ratio factor{1, 1};
    FaultIndex fault;
  };
  SlowDown slow_down();
  /// How old what a listing shows is, over all faults in force, and whose doing that is. Who finds a difference counts
  /// the hit.
  struct StaleListing {
    Duration age{0};
    FaultIndex fault;
  };
  StaleListing stale_listing() const;
  /// Counts one hit for the window in force of this fault.
  void hit(FaultIndex fault);

  /// The fault whose start or heal is running: what it does to the network is its doing.
  std::uint32_t acting() const { return acting_; }
  /// The same while it runs, and nothing at any other time.
  FaultIndex at_work() const { return is_at_work_ ? FaultIndex{acting_} : std::nullopt; }
  /// What follows is this fault's doing in an event of its own, until it is nobody's.
  void set_at_work(FaultIndex fault) {
    acting_ = fault.value_or(acting_);
    is_at_work_ = fault.has_value();
  }
  std::uint32_t active_count() const { return static_cast<std::uint32_t>(active_.size()); }
  /// When the plan's last window ends; the start of the world without faults.
  SimTime last_end() const { return last_end_; }
  /// Every instant at which a fault starts or heals, in no order.
  const std::vector<SimTime>& change_times() const { return change_times_; }
  /// All windows so far, in the order in which they started.
  const std::vector<FaultWindow>& windows() const { return windows_; }
  /// The end of the last window that hit something; the start of the world without one.
  SimTime last_hit_end() const;

 private:
  void start_row(std::uint64_t row);
  void heal_row(std::uint64_t row);

  Kernel& kernel_;
  Trace& trace_;
  const Scenario& scenario_;
  Breakable* world_ = nullptr;
  std::vector<std::unique_ptr<Fault>> faults_;
  std::vector<std::uint32_t> active_;         // Rows in force, in the plan's order.
  std::vector<std::uint32_t> window_of_row_;  // Index into windows_ of each row's latest.
  std::vector<FaultWindow> windows_;
  std::vector<SimTime> change_times_;
  Ratio slowness_{1, 1};
  std::uint32_t acting_ = 0;
  bool is_at_work_ = false;
  bool judges_publishes_ = false;
  bool judges_messages_ = false;
  SimTime last_end_ = time_start;
};

}  // namespace sim
