// A real world in a test: scenario and plan as text, the trace in memory, short questions.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/scenario/scenario.h"
#include "sim/trace/trace.h"
#include "sim/world/world.h"
#include "tests/support/model_support.h"
#include "tests/support/printing.h"

namespace tests {

using model::BrokerId;
using model::Bytes;
using model::Duration;
using model::LeaderEpoch;
using model::Offset;
using model::PartitionNumber;
using model::SimTime;
using sim::ObjectKind;
using sim::Scenario;
using sim::StoredAs;
using sim::TraceRecord;

inline constexpr PartitionNumber first_partition{0};

/// The scenario of this text; `plan` is rows without the header (start,duration,kind,target,params). Errors end the
/// test.
Scenario read_world(std::string_view ini, std::string_view plan = {}, const std::vector<std::string>& sets = {});
/// A file of scenarios/, by its name without .ini.
Scenario read_catalogue(std::string_view name, const std::vector<std::string>& sets = {});
sim::PolicyChoice policy_choice(std::string_view text, const Scenario& scenario);
/// Every policy of the list.
std::vector<std::string_view> policy_names();

/// One broker, one partition `t`, two closed segments of 1 MiB to copy, the first at time 0; unlimited retention. The
/// store takes a second for a MiB and nothing else takes time, but each publish 50 ms. Objects of a copy: 1 MiB,
/// 256 KiB, 64 KiB, 64 KiB. So the first copy's objects land at 1050, 1300, 1362.5 and 1425 ms.
inline constexpr std::string_view one_broker = R"(
[scenario]
duration = 2h
[cluster]
brokers = 1
[broker]
phase.copy = 0s
phase.expiration = 15s
[topic.t]
partitions = 1
segment.bytes = 1MiB
retention.ms = -1
initial.closed = 2
[network]
latency = 0s
[store]
latency = 0s
delete.latency = 0s
bandwidth = 1MiB/s
[client]
attempts = 1
indexes.bytes = 256KiB
producer.snapshot.bytes = 64KiB
leader.epoch.checkpoint.bytes = 64KiB
[metadata]
latency = 0s
consumer.latency = 0s
)";

/// As one_broker, with two brokers, a partition on each, one segment to copy in each, and a metadata topic of one
/// partition, which broker 1 leads. Copy 0 is of partition 0 and broker 1, copy 1 of partition 1 and broker 2.
std::string two_brokers();

/// Keeps every record.
class Recorder final : public sim::TraceObserver {
 public:
  void on(const TraceRecord& record) override { records.push_back(record); }
  std::deque<TraceRecord> records;
};

/// An event and when it was.
template <class Event>
struct Timed {
  SimTime time;
  Event event;
};

class TestWorld {
 public:
  TestWorld(std::string_view ini, std::string_view plan = {}, const std::vector<std::string>& sets = {},
            std::string_view policy = "kafka-4.0", std::uint64_t seed = 1);
  TestWorld(Scenario scenario, std::string_view policy, std::uint64_t seed = 1);

  void run_until(Duration time) { world.run_until(model::time_start + time); }

  /// The bytes under the keys of the four objects of one copy, by its number: `1048576 262144 65536 65536`.
  std::string stored(std::uint32_t copy) const { return sizes(copy, StoredAs::object); }
  std::string parts(std::uint32_t copy) const { return sizes(copy, StoredAs::parts); }
  /// What the plan's row hit, over all its windows.
  std::uint64_t hits(std::uint32_t row = 0) const;
  /// `0 CS, 1475 CF`: time in milliseconds and state of each record of a copy; `-` before what the fold drops.
  std::string transitions(std::uint32_t copy) const;
  /// `put log 50-1050 ok`: every request that ended, in milliseconds, joined with commas.
  std::string requests() const;
  /// `put 50-1425 ok`: every call of the plug-in.
  std::string calls() const;
  /// `CS 0-50 ok`: every publish of one broker.
  std::string publishes(BrokerId broker = BrokerId{1}) const;
  /// `11000 0-10 10240`: every roll of a partition: time, offsets [base, next), size.
  std::string rolls(PartitionNumber partition = first_partition) const;
  /// `0 1/0, 10500 0/0`: every change of a partition's leader: time, leader, epoch.
  std::string leaders(PartitionNumber partition = first_partition) const;
  /// `0=0 1=10`: a replica's epochs.
  std::string epochs(BrokerId broker, PartitionNumber partition = first_partition) const;
  /// A replica's log end.
  std::int64_t log_end(BrokerId broker = BrokerId{1}, PartitionNumber partition = first_partition) const;
  /// `CF`: what a broker's cache, or the fold of the topic, says of a copy; empty when it knows nothing.
  std::string cached(BrokerId broker, std::uint32_t copy) const;
  std::string folded(std::uint32_t copy) const;

  template <class Event>
  std::vector<Timed<Event>> all() const {
    std::vector<Timed<Event>> found;
    for (const TraceRecord& record : recorder.records) {
      if (const auto* event = std::get_if<Event>(&record.event)) found.push_back({record.time, *event});
    }
    return found;
  }

  Scenario scenario;
  Recorder recorder;
  sim::World world;

 private:
  std::string sizes(std::uint32_t copy, StoredAs stored_as) const;
};

/// What two runs are compared by.
struct Fingerprint {
  std::uint64_t hash = 0;
  std::uint64_t records = 0;
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Fingerprint& print) {
    return out << print.records << " records, hash " << print.hash;
  }
};
Fingerprint fingerprint(const Scenario& scenario, std::string_view policy, std::uint64_t seed = 1);
/// The first record in which two runs differ, from each; empty when none does.
std::string first_difference(const Scenario& a, const Scenario& b, std::string_view policy, std::uint64_t seed = 1);

}  // namespace tests
