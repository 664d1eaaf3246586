// A world that a test drives by hand, record by record, with the ledger and the invariants listening.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/policy.h"
#include "sim/observers/invariants.h"
#include "sim/observers/ledger.h"
#include "sim/trace/trace.h"
#include "tests/support/model_support.h"
#include "tests/support/printing.h"

namespace tests {

using model::BrokerId;
using model::Bytes;
using model::Duration;
using model::Offset;
using model::PartitionNumber;
using model::RemoteLogSegment;
using model::RemoteLogSegmentState;
using model::SimTime;
using model::TaskKind;
using model::TaskStep;

inline constexpr PartitionNumber partition_0{0};
inline constexpr BrokerId broker_1{1};
inline constexpr BrokerId broker_2{2};

/// One topic `orders` (or several), records of 1 MiB, copies of one object. Unlimited retention unless said otherwise.
class FakeWorld final : public sim::WorldView {
 public:
  struct Setup {
    std::int32_t brokers = 1;
    std::int32_t topics = 1;
    std::string policy = "kafka-4.0";
    model::KipDanglingOptions kip = {};
    std::optional<Duration> retention_time = {};
    std::optional<Bytes> retention_bytes = {};
  };
  FakeWorld() : FakeWorld(Setup{}) {}
  explicit FakeWorld(const Setup& setup);
  ~FakeWorld() override;

  // What a test does. Each change is made first and then told to the trace.

  void at(SimTime::duration time_of_world) { now_ = SimTime{time_of_world}; }
  /// Another policy for one broker, which reads the metadata anew.
  void set_policy(BrokerId broker, std::string_view policy);

  /// Appends closed segments of `count` records of 1 MiB each, newest record stamped `stamped`, on every replica.
  void roll(std::int64_t count, std::optional<SimTime> stamped = {}, PartitionNumber partition = partition_0);
  void append(std::int64_t count, PartitionNumber partition = partition_0);
  /// A new copy attempt of [start, end]; nothing happens to it yet.
  const RemoteLogSegment& new_copy(Offset start, Offset end, SimTime max_timestamp = model::time_start,
                                   model::EpochEntries epochs = {}, PartitionNumber partition = partition_0);
  /// Publishes `state`, as a task of `broker` at `step` would; what the union table forbids is stored and does not
  /// apply.
  void publish(const RemoteLogSegment& segment, RemoteLogSegmentState state, TaskStep step = TaskStep::copy_upload,
               BrokerId broker = broker_1);
  /// Puts or removes bytes of the copy's log object.
  void change_bytes(const RemoteLogSegment& segment, Bytes delta, sim::StoredAs stored_as = sim::StoredAs::object,
                    sim::FaultIndex fault = {});
  void store_all(const RemoteLogSegment& segment) { change_bytes(segment, segment.size - stored_bytes(segment)); }
  void remove_all(const RemoteLogSegment& segment) { change_bytes(segment, -stored_bytes(segment)); }
  /// A finished copy of the initial state, all bytes stored.
  const RemoteLogSegment& initial_copy(Offset start, Offset end, SimTime max_timestamp = model::time_start);
  /// An attempt whose task is in its upload with `stored` bytes there.
  const RemoteLogSegment& uploading(Offset start, Offset end, Bytes stored, BrokerId broker = broker_1);
  /// A copy made without failure, from its first step to the last.
  const RemoteLogSegment& copied(Offset start, Offset end, SimTime max_timestamp = model::time_start,
                                 model::EpochEntries epochs = {});

  void enter(const RemoteLogSegment& segment, TaskStep step, BrokerId broker = broker_1);
  void leave(const RemoteLogSegment& segment, TaskKind task = TaskKind::copy, BrokerId broker = broker_1);
  void copy_failed(const RemoteLogSegment& segment, sim::FaultIndex fault = {}, BrokerId broker = broker_1);
  void delete_failed(const RemoteLogSegment& segment, TaskKind task, sim::FaultIndex fault = {});
  void publish_failed(const RemoteLogSegment& segment, RemoteLogSegmentState state, sim::FaultIndex fault);
  void crash(BrokerId broker, sim::FaultIndex fault = {});
  void lead(BrokerId broker, std::int32_t epoch, PartitionNumber partition = partition_0);
  void raise_log_start(Offset offset, BrokerId broker = broker_1, PartitionNumber partition = partition_0);
  /// Local segments below `offset` go, on every replica.
  void delete_local_below(Offset offset, PartitionNumber partition = partition_0);
  void set_gauges(model::DanglingGauges gauges, BrokerId broker = broker_1);
  void emit(const sim::TraceEvent& event) { trace.emit(now_, event); }

  // What a test may bend without telling the trace.

  model::UnifiedLog& log_of(BrokerId broker, PartitionNumber partition = partition_0);
  model::RemoteLogMetadataCache& cache_of(BrokerId broker, PartitionNumber partition = partition_0);
  Bytes& stored_of(const RemoteLogSegment& segment, sim::StoredAs stored_as = sim::StoredAs::object);
  Bytes stored_bytes(const RemoteLogSegment& segment) const {
    return stored(segment, sim::ObjectKind::log, sim::StoredAs::object);
  }

  sim::Scenario scenario_value;
  SimTime end_of_world{std::chrono::hours{24 * 365}};
  /// Numbers of copies whose upload may still be completed.
  std::set<std::uint32_t> live_uploads;
  std::set<BrokerId> down;
  std::set<BrokerId> lagging;
  /// Whose consumer has met a record that it cannot read.
  std::set<BrokerId> ended;
  std::map<PartitionNumber, Bytes> lag;
  std::vector<std::string> waiting;
  sim::Trace trace;
  sim::Ledger ledger{*this};
  sim::InvariantObserver invariants{*this, ledger};

  /// Bytes of one class over all topics.
  Bytes of(sim::ByteClass byte_class) const { return ledger.totals().of(byte_class); }
  /// The ledger brought up to now; whether a recount from scratch gives the same sums.
  bool books_balance();
  /// The names of the invariants broken so far, in order, each once.
  std::vector<std::string> broken() const;

  // WorldView.
  const sim::Scenario& scenario() const override { return scenario_value; }
  const model::Policy& policy_of(BrokerId broker) const override;
  SimTime now() const override { return now_; }
  SimTime end() const override { return end_of_world; }
  std::uint32_t partition_count() const override { return static_cast<std::uint32_t>(partitions_.size()); }
  std::uint32_t topic_of(PartitionNumber partition) const override { return partition.value(); }
  std::int32_t index_in_topic(PartitionNumber) const override { return 0; }
  std::vector<BrokerId> replicas(PartitionNumber partition) const override;
  bool is_up(BrokerId broker) const override { return !down.contains(broker); }
  BrokerId leader(PartitionNumber partition) const override;
  const model::UnifiedLog& log(BrokerId broker, PartitionNumber partition) const override;
  const model::RemoteLogMetadataCache& cache(BrokerId broker, PartitionNumber partition) const override;
  bool has_consumed_all(BrokerId broker, PartitionNumber) const override {
    return !lagging.contains(broker) && !ended.contains(broker);
  }
  const model::RemoteLogMetadataCache& folded(PartitionNumber partition) const override;
  std::vector<model::RemoteLogSegmentMetadata> records(PartitionNumber partition) const override;
  Bytes stored(const RemoteLogSegment& segment, sim::ObjectKind object, sim::StoredAs stored_as) const override;
  std::uint32_t segment_count() const override { return static_cast<std::uint32_t>(segments_.size()); }
  const RemoteLogSegment& segment(std::uint32_t number) const override { return segments_[number]; }
  bool upload_is_live(const RemoteLogSegment& segment) const override { return live_uploads.contains(segment.number); }
  Bytes copy_lag(PartitionNumber partition) const override;
  std::vector<std::string> runs_waiting_since(SimTime) const override { return waiting; }
  std::uint32_t active_fault_count() const override { return 0; }

 private:
  struct Partition;
  void read(BrokerId broker, model::RemoteLogSegmentMetadata record);
  std::deque<RemoteLogSegment> segments_;
  std::vector<std::unique_ptr<Partition>> partitions_;
  std::map<BrokerId, std::unique_ptr<model::Policy>> policies_;
  std::map<std::pair<std::uint32_t, sim::StoredAs>, Bytes> store_;
  Setup setup_;
  SimTime now_ = model::time_start;
};

/// The copy task's or the expiration task's: who takes this step.
TaskKind task_of(TaskStep step);

}  // namespace tests
