#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/observers/ledger.h"
#include "sim/observers/world_view.h"
#include "sim/trace/trace.h"

namespace reports {

using namespace model;

/// `orders-3`, as Kafka writes a partition.
std::string partition_name(const sim::WorldView& world, PartitionNumber partition);

/// Follows a run's records and tells people what its world is like after the last of them.
class WorldState {
 public:
  /// Both outlive it; the ledger has had every record before this one gets it.
  WorldState(const sim::WorldView& world, const sim::Ledger& ledger);
  void record(const sim::TraceRecord& record);

  std::uint64_t last_number() const { return last_.empty() ? 0 : last_.back().number; }
  /// Time, leaders, copies by state, bytes by class, faults, the entries that are not settled, the last events. Long
  /// lists are cut, and say so.
  std::string describe();
  /// What of leaders, states, bytes and faults is otherwise than at the last call of either.
  std::string describe_changes();

 private:
  /// The last write to a copy's entry that applied.
  struct Written {
    SimTime time;
    std::uint64_t event = 0;
    BrokerId broker;
    RemoteLogSegmentState state = RemoteLogSegmentState::copy_segment_started;
  };
  struct Leadership {
    /// 0 when nobody leads.
    BrokerId leader;
    LeaderEpoch epoch;
  };
  struct ActiveFault {
    SimTime since;
    std::uint64_t hits = 0;
  };
  /// What is counted, by name, in the order in which it is shown.
  using Values = std::vector<std::pair<std::string_view, std::int64_t>>;

  std::string describe_leaders() const;
  std::string describe_faults() const;
  std::string describe_unsettled() const;
  Values copies_by_state() const;
  Values bytes_by_class() const;
  void note(std::string happened);

  const sim::WorldView& world_;
  const sim::Ledger& ledger_;
  std::vector<std::string> fault_labels_;
  std::vector<Written> written_;
  std::vector<Leadership> leaders_;
  std::map<std::uint32_t, ActiveFault> faults_;
  std::deque<sim::TraceRecord> last_;
  // As last shown, and what came since that is not counted.
  Values shown_copies_;
  Values shown_bytes_;
  std::vector<std::string> happened_;
};

}  // namespace reports
