// Mirrors: a job outside Kafka that lists the bucket every so often, compares it with the metadata topic and removes
// what nobody names (case C50). Leaves out: the time that its requests take, parts of unfinished uploads, which no
// listing of objects shows, and more than one change of a key within the age of a stale listing.
#pragma once

#include <array>
#include <vector>

#include "sim/world/object_store.h"

namespace sim {

/// `[remedies] scrubber.*`. An object is unnamed when no entry of an existing topic names its copy, in whatever state,
/// as far as the scrubber's view of the metadata goes; a key is missing when that view calls its copy finished. Listing
/// and view may be old: then it finds what is not so, and removes what it should not.
class Scrubber final : public TraceObserver {
 public:
  Scrubber(Kernel& kernel, Trace& trace, ObjectStore& store, FaultBoard& faults, const Scenario& scenario);
  void begin();
  /// Learns what is stored and named, and since when.
  void on(const TraceRecord& record) override;
  /// The first scrub at which the copy's objects are old enough, its quota aside; nothing while they are named.
  std::optional<SimTime> removes(const RemoteLogSegment& segment) const;

 private:
  /// True from one instant to another; both far in the future at first.
  struct Span {
    SimTime from = time_never;
    SimTime to = time_never;
    bool contains(SimTime time) const { return from <= time && time < to; }
  };
  struct Key {
    bool is_there = false;
    SimTime changed{Duration::min()};  ///< When it last came or went.
    SimTime written{Duration::min()};
    std::uint8_t told = 0;  ///< What was last said about it; 0: nothing.
    bool was_there(SimTime time) const { return changed <= time ? is_there : !is_there; }
  };
  struct Copy {
    const RemoteLogSegment* segment = nullptr;
    std::array<Key, object_kind_count> keys;
    Span named;
    Span finished;
  };
  struct Budget {
    std::int64_t left = 0;
    std::int64_t listed = 0;
    std::uint32_t pages = 0;
    Duration listing_age{0};
    FaultIndex stale;
  };

  Copy& copy_of(const RemoteLogSegment& segment);
  bool is_named(const Copy& copy, SimTime time) const;
  void scrub();
  /// False when this scrub ends here.
  bool look_at(Copy& copy, Budget& budget);
  bool look_at(Copy& copy, ObjectKind object, Budget& budget);
  bool list_key(Budget& budget);
  bool remove(Copy& copy, ObjectKind object, Budget& budget);
  void tell(Copy& copy, ObjectKind object, RemedyFinding finding, RemedyAction action);

  static constexpr std::int64_t keys_a_page = 1'000;
  Kernel& kernel_;
  Trace& trace_;
  ObjectStore& store_;
  FaultBoard& faults_;
  const RemedyOptions& options_;
  const ClientOptions& client_;
  Chunked<Copy> copies_;
  std::vector<SimTime> deleted_since_;  // By partition; time_never while it exists.
  std::uint32_t next_copy_ = 0;         // Where the next scrub goes on.
  std::uint32_t scrub_count_ = 0;
};

}  // namespace sim
