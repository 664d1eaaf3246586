#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/observers/world_view.h"
#include "sim/trace/trace.h"

namespace sim {

/// Where a stored byte belongs; at every instant exactly one. In the order of curves.csv.
enum class ByteClass : std::uint8_t {
  live,
  in_flight,
  expired,
  unreferenced,
  dangling,
  deleting,
  stuck,
  orphan,
  upload_parts,
};
inline constexpr int byte_class_count = 9;
std::string_view to_string(ByteClass byte_class);

/// Sums of one topic, or of all.
struct LedgerTotals {
  std::array<Bytes, byte_class_count> bytes{};
  /// The part of `deleting` that was garbage before or follows a failure.
  Bytes deleting_failed;
  /// Copies with garbage behind them.
  std::int64_t garbage_count = 0;
  /// Entries nobody works on with no byte behind them, and the log sizes that they claim.
  std::int64_t ghost_count = 0;
  Bytes ghost_claimed;

  friend bool operator==(const LedgerTotals&, const LedgerTotals&) = default;
  Bytes of(ByteClass c) const { return bytes[static_cast<std::size_t>(c)]; }
  Bytes stored() const;
  /// dangling + deleting_failed + stuck + orphan + upload_parts.
  Bytes garbage() const;
  /// All but live and in_flight.
  Bytes waste() const;
};

/// What removes a leftover, or will.
enum class Remover : std::uint8_t {
  none,
  sweep,
  expiration,
  retention,
  clean_up,
  topic_deletion,
  bucket_rule,
  scrubber
};
std::string_view to_string(Remover remover);

/// One copy that was ever garbage or a ghost: a row of leftovers.csv.
struct Leftover {
  const RemoteLogSegment* segment = nullptr;
  /// The most bytes that were garbage of it at one time; 0 for a ghost.
  Bytes bytes;
  SimTime became_garbage;
  std::optional<SimTime> reclaimed;
  /// The state when it became garbage (or at the end while it still is).
  std::optional<RemoteLogSegmentState> state;
  FaultIndex fault;
  TaskStep step = TaskStep::none;
  Remover reclaimed_by = Remover::none;
  Remover due_by = Remover::none;
  std::optional<SimTime> due;
  /// When the scrubber first found its bytes.
  std::optional<SimTime> seen = {};
};

/// All that the ledger knows of one copy at an instant, and what becomes of it if nothing else happens.
struct CopyReport {
  std::optional<RemoteLogSegmentState> state;
  /// Where its objects count, whether it has any or not.
  ByteClass objects_class = ByteClass::orphan;
  /// Where its parts count: in_flight while they may still become objects.
  ByteClass parts_class = ByteClass::upload_parts;
  Bytes objects;
  Bytes parts;
  /// Its row of leftovers.csv, should the world end now; nothing: it was never garbage nor a ghost.
  std::optional<Leftover> leftover;
  /// Who will remove its objects, or its parts where there are no objects, and when; not by size, which depends on what
  /// is still to be produced.
  Remover due_by = Remover::none;
  std::optional<SimTime> due;
  /// The last fault that had a hand in a failure of it, and the last step of a task that held it.
  FaultIndex fault;
  TaskStep last_step = TaskStep::none;
};

/// Retained, readable offsets [from, to) that were lost although no rule asked for it.
struct OverDeletion {
  PartitionNumber partition;
  Offset from;
  /// Exclusive.
  Offset to;
  Bytes bytes;
};

/// Ground truth of every byte in the store: listens to the trace, keeps deltas, never asks the metrics it checks.
class Ledger final : public TraceObserver {
 public:
  explicit Ledger(const WorldView& world);
  ~Ledger() override;
  void on(const TraceRecord& record) override;

  /// Brings what the clock alone changes up to `now`: copies that fall due by time, each at its own instant, and by
  /// size, as the active segments have grown. The first call ends the initial state, which the logs are then read for.
  void advance(SimTime now);

  const LedgerTotals& totals() const;
  const LedgerTotals& totals(std::uint32_t topic) const;
  /// The greatest garbage since the last call for this row; `topic` nothing for all.
  Bytes take_garbage_max(std::optional<std::uint32_t> topic);

  // Exact over the whole run up to the last advance.
  Bytes peak_garbage() const;
  /// Byte-microseconds.
  unsigned __int128 garbage_integral() const;
  unsigned __int128 waste_integral() const;
  unsigned __int128 stored_integral() const;
  /// Since when garbage has been zero without a break; nothing while there is any.
  std::optional<SimTime> garbage_free_since() const;
  Duration garbage_age_max() const;
  /// Retained, readable bytes that were removed or made unreadable.
  Bytes over_deleted() const;
  const std::optional<OverDeletion>& last_over_deletion() const;

  // What one copy or one partition is, for invariants and for `--why`.
  /// Its state when the topic is folded; nothing before COPY_SEGMENT_STARTED.
  std::optional<RemoteLogSegmentState> state_of(const RemoteLogSegment& segment) const;
  /// Where its objects count, whether it has any or not.
  ByteClass class_of(const RemoteLogSegment& segment) const;
  /// Whether the log start, time or size asks for its deletion, whatever its state.
  bool is_due(const RemoteLogSegment& segment) const;
  /// The first retained offset of [from, to) that is neither local on the leader nor in a finished copy whose objects
  /// are all stored; nothing when every one can be read. Nothing, too, before the initial state is complete.
  std::optional<Offset> first_unreadable(PartitionNumber partition, Offset from, Offset to) const;

  /// As of the last advance, before finish(); slow. What no record has named yet is a report without a state.
  CopyReport report_of(const RemoteLogSegment& segment) const;

  /// Closes the books at the world's end: due_by and due of what is left (facts 6 and the policy decide who removes
  /// it).
  void finish();
  /// Ordered by became_garbage, then segment number.
  const std::vector<Leftover>& leftovers() const;
  /// After finish(): the garbage that nothing will ever remove, and when the last of the rest falls due.
  Bytes garbage_never() const;
  std::optional<SimTime> last_due() const;

  /// The sums counted from scratch out of the world's state (holds and what offsets weigh still come from the trace),
  /// as of the last advance; equal to totals() unless the ledger is wrong. CHECKed by the ledger itself at event counts
  /// 2^k and at the end.
  LedgerTotals recount() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sim
