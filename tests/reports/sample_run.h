#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "sim/run_result.h"

namespace reports_test {

using namespace model;

/// A folder of the test's own, gone with it.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "reports-XXXXXX").string();
    BOOST_REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~ScratchFolder() { std::filesystem::remove_all(path_); }
  std::string path(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }
  /// Names of what is in it, hidden ones included.
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator{path_})
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::string path_;
};

inline std::string text_of(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  BOOST_TEST_REQUIRE(file.good(), path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Two partitions of `orders` and one of a topic whose name needs quotes; reports ask a world for no more.
class PaperWorld final : public sim::WorldView {
 public:
  PaperWorld() {
    scenario_.name = "paper";
    scenario_.text = "[scenario]\nduration = 1h\n";
    scenario_.plan_text = "start,duration,kind,target,params,name\n";
    scenario_.brokers.resize(1);
    scenario_.topics.resize(2);
    scenario_.topics[0].name = "orders";
    scenario_.topics[1].name = "odd,\"name\"";
    scenario_.faults.resize(3);
    scenario_.faults[0].kind = "store-unavailable";
    scenario_.faults[0].name = "puts-down";
    scenario_.faults[0].target_text = "store";
    scenario_.faults[0].params_text = "operations=put";
    scenario_.faults[1].kind = scenario_.faults[2].kind = "crash";
    scenario_.faults[1].target_text = "broker:1";
    scenario_.faults[2].target_text = "broker:2";
  }

  sim::Scenario& edit() { return scenario_; }
  const sim::Scenario& scenario() const override { return scenario_; }
  std::uint32_t partition_count() const override { return 3; }
  std::uint32_t topic_of(PartitionNumber partition) const override { return partition.value() < 2 ? 0 : 1; }
  std::int32_t index_in_topic(PartitionNumber partition) const override { return partition.value() == 1 ? 1 : 0; }
  SimTime now() const override { return time_start; }
  SimTime end() const override { return SimTime{1h}; }

  const Policy& policy_of(BrokerId) const override { std::abort(); }
  std::vector<BrokerId> replicas(PartitionNumber) const override { std::abort(); }
  bool is_up(BrokerId) const override { std::abort(); }
  BrokerId leader(PartitionNumber) const override { std::abort(); }
  const UnifiedLog& log(BrokerId, PartitionNumber) const override { std::abort(); }
  const RemoteLogMetadataCache& cache(BrokerId, PartitionNumber) const override { std::abort(); }
  const RemoteLogMetadataCache& folded(PartitionNumber) const override { std::abort(); }
  Bytes stored(const RemoteLogSegment&, sim::ObjectKind, sim::StoredAs) const override { std::abort(); }
  std::uint32_t segment_count() const override { std::abort(); }
  const RemoteLogSegment& segment(std::uint32_t) const override { std::abort(); }
  bool upload_is_live(const RemoteLogSegment&) const override { std::abort(); }
  Bytes copy_lag(PartitionNumber) const override { std::abort(); }
  std::vector<std::string> runs_waiting_since(SimTime) const override { std::abort(); }
  std::uint32_t active_fault_count() const override { std::abort(); }

  const BrokerTopicMetrics* metrics(BrokerId) const override { return is_broker_up ? &shown : nullptr; }

  /// What broker 1, the only one, shows.
  bool is_broker_up = true;
  std::vector<std::uint32_t> topic_of_partition{0, 0, 1};
  BrokerTopicMetrics shown{topic_of_partition, 2};

 private:
  sim::Scenario scenario_;
};

/// Prints as `AAAAAAAAAAAAAAAAAAAAAQ`.
inline RemoteLogSegment sample_segment(std::uint32_t partition = 0) {
  RemoteLogSegment segment;
  segment.id = {0, 1};
  segment.partition = PartitionNumber{partition};
  segment.start_offset = 100_offset;
  segment.end_offset = 199_offset;
  segment.size = 1_MiB;
  return segment;
}

/// 3 GiB at most, gone 20 h after the fault.
inline sim::Summary sample_summary(const std::string& policy = "kafka-4.0") {
  sim::Summary summary;
  summary.scenario = "paper";
  summary.policy = policy;
  summary.seed = 7;
  summary.outcome = sim::Outcome::leak;
  summary.first_violation = "garbage-settles";
  summary.peak_garbage_bytes = 3_GiB;
  summary.garbage_byte_time = 3'600'000'000U * static_cast<unsigned __int128>(5'000) + 3'599'999'999U;
  summary.reclaim = Duration{20h};
  summary.copy_attempts = 12;
  summary.copy_failures = 3;
  summary.put_bytes = 12_MiB;
  summary.metadata_records = 30;
  summary.store_requests = 1'234;
  summary.cost_micro_usd = 1'234'567;
  summary.events = 99;
  summary.transitions = 24;
  summary.trace_hash = 0xabc;
  return summary;
}

inline sim::RunResult sample_result(const std::string& policy = "kafka-4.0") {
  sim::RunResult result;
  result.summary = sample_summary(policy);
  result.policy_label = policy;
  result.world_end = SimTime{36h};
  result.faults = {{SimTime{1h}, SimTime{5h}, 0, 44}, {SimTime{6h}, SimTime{7h}, 1, 0}};
  return result;
}

}  // namespace reports_test
