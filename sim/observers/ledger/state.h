#pragma once

#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/observers/ledger.h"
#include "sim/observers/ledger/copies.h"
#include "sim/observers/ledger/finished_copies.h"
#include "sim/observers/ledger/log_pieces.h"

namespace sim {

/// One partition's log and finished copies, as far as the ledger judges by them.
struct LedgerPartition {
  PartitionNumber number;
  std::uint32_t topic = 0;
  BrokerId leader;
  std::optional<Duration> retention_time;
  std::optional<Bytes> retention_bytes;
  /// Its topic is deleted: every finished copy is due, and nothing of the log can be lost.
  bool is_deleted = false;
  /// The greatest log start that any leader has had.
  Offset log_start;
  /// The first offset on the leader's disk.
  Offset local_start;
  /// Copies that end below it are due by log start or size.
  Offset due_below;
  /// The instant queued for this partition; time_never when none is.
  SimTime queued_due = time_never;
  /// Up to where falling due by time is counted.
  SimTime due_until{Duration::min()};
  LogPieces pieces;
  FinishedCopies finished;
  /// Ranges at or above the log start that can be read no longer: counted once. Ascending, apart.
  std::vector<std::pair<Offset, Offset>> given_up;
  /// The leader's tasks that never run again: too much custom metadata has cancelled it (F23), or an Error ended it
  /// (F15).
  std::array<bool, model::scheduled_task_kind_count> ended{};
  bool has_ended(TaskKind task) const { return ended[static_cast<std::size_t>(task)]; }
};

/// The ledger's books. Whatever changes a copy ends in refresh() or change_bytes(), which alone touch the sums.
struct Ledger::State {
  explicit State(const WorldView& w) : world(w) {}

  // The clock (clock.cc).
  void prepare();
  void begin();
  void weigh_log(LedgerPartition& partition);
  void advance(SimTime time);
  void settle_clock(SimTime time);
  void queue_due(LedgerPartition& partition, SimTime due);
  void fall_due(LedgerPartition& partition);
  /// After everything that happened at one record.
  void note_garbage();

  // Events about copies (copy_events.cc).
  void on(const Transition& event);
  void on(const StepEntered& event);
  void on(const SegmentLeft& event);
  void on(const BrokerCrashed& event);
  void on(const StorageCallEnded& event);
  void on(const StoreRequestEnded& event);
  void on(const RemedyActed& event);
  void on(const PublishEnded& event);
  void on(const RecordsForgotten& event);
  void on(const BytesChanged& event);
  void note_fault(Copy& copy, FaultIndex fault);
  void note_failure(Copy& copy, BrokerId broker, TaskKind task, FaultIndex fault);
  Remover remover_of(TaskStep step, const Copy& copy, BrokerId broker) const;

  // Events about tasks and logs (log_events.cc).
  void on(const RunEnded& event);
  void on(const LeaderChanged& event);
  void on(const SegmentRolled& event);
  void on(const LogStartRaised& event);
  void on(const LocalSegmentsDeleted& event);
  void on(const PartitionDeleted& event);
  void on(const RecordsDeleted& event);
  void on(const TopicChanged& event);
  template <class Other>
  void on(const Other&) {}
  void learn_log(LedgerPartition& partition);
  void raise_log_start(LedgerPartition& partition, Offset offset);
  /// The same without asking whether anybody lost anything.
  void move_log_start(LedgerPartition& partition, Offset offset);
  /// What lies below it on the scale of the pieces is due by size.
  std::optional<Bytes> size_bound(const LedgerPartition& partition) const;
  void raise_due(LedgerPartition& partition);
  /// What is due by log start and size, counted anew: also less than before.
  void reset_due(LedgerPartition& partition);
  void refresh_finished(LedgerPartition& partition);
  /// Counts what of [from, to) can be read no longer, now that something was taken away.
  void look_for_losses(LedgerPartition& partition, Offset from, Offset to);
  void give_up(LedgerPartition& partition, Offset from, Offset to);
  void count_over_deleted(LedgerPartition& partition, Offset from, Offset to);

  // Sums (sums.cc).
  Standing standing_of(const Copy& copy) const;
  ByteClass class_of(const Copy& copy, bool& failed) const;
  bool is_due(const Copy& copy) const;
  bool is_whole(const Copy& copy) const { return copy.objects >= copy.segment->size + auxiliary_bytes; }
  void refresh(Copy& copy);
  void change_bytes(Copy& copy, StoredAs stored_as, Bytes delta);
  void account(const Copy& copy, int sign);
  void note_maximum(std::uint32_t topic);
  void track_leftover(Copy& copy);
  void open_leftover(Copy& copy);
  void tell_cause(Leftover& row, const Copy& copy) const;
  void close_leftover(Copy& copy);

  // The end (outlook.cc, recount.cc).
  void close_books();
  void foresee(PartitionNumber partition, std::span<const std::uint32_t> open);
  CopyReport report_of(const Copy& copy) const;
  void foresee_bytes(Bytes garbage, const std::optional<SimTime>& due);
  LedgerTotals recount() const;
  void check_books();

  LedgerPartition& partition_of(const Copy& copy) { return partitions[copy.segment->partition.value()]; }
  const LedgerPartition& partition_of(const Copy& copy) const { return partitions[copy.segment->partition.value()]; }

  struct Due {
    SimTime time;
    std::uint32_t partition = 0;
    friend constexpr auto operator<=>(const Due&, const Due&) = default;
  };

  const WorldView& world;
  bool prepared = false;
  bool begun = false;
  bool closed = false;
  SimTime now = time_start;
  /// Indexes, snapshot and checkpoint of one copy.
  Bytes auxiliary_bytes;

  CopyTable copies;
  HoldTable holds;
  std::vector<LedgerPartition> partitions;
  /// A heap, the earliest first; an entry that is not its partition's queued_due is stale.
  std::vector<Due> dues;

  LedgerTotals all;
  std::vector<LedgerTotals> topics;
  Bytes all_max;
  std::vector<Bytes> topic_max;
  Bytes peak;
  unsigned __int128 garbage_integral = 0;
  unsigned __int128 waste_integral = 0;
  unsigned __int128 stored_integral = 0;
  std::optional<SimTime> garbage_free_since = time_start;
  Duration age_max{0};
  Bytes over_deleted;
  std::optional<OverDeletion> last_over_deletion;

  std::vector<Leftover> leftovers;
  Bytes never;
  std::optional<SimTime> last_due;
  /// Scratch: copies whose readers changed.
  std::vector<std::uint32_t> changed;
};

}  // namespace sim
