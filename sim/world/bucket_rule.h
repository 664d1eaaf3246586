// Mirrors: a bucket's lifecycle rule that aborts unfinished multipart uploads some days after they began, as operators
// set it. Leaves out: days that begin at midnight UTC, and that an upload's age counts from its first request; here
// from the instant at which it was given up.
#pragma once

#include <vector>

#include "sim/world/object_store.h"

namespace sim {

/// `[remedies] bucket-rule.*`: runs once a day, and every unfinished upload that has lain that long is gone. The store
/// does it itself, so no fault keeps it from it.
class BucketRule final : public TraceObserver {
 public:
  BucketRule(Kernel& kernel, Trace& trace, ObjectStore& store, const RemedyOptions& options);
  void begin();
  /// Learns of the parts that uploads leave.
  void on(const TraceRecord& record) override;
  /// When every unfinished upload of the copy will have been aborted; nothing while there is none.
  std::optional<SimTime> aborts(const RemoteLogSegment& segment) const;

 private:
  struct Unfinished {
    const RemoteLogSegment* segment;
    ObjectKind object;
    Bytes size;
    SimTime since;
  };
  bool is_due(const Unfinished& upload) const { return upload.since + age_ <= kernel_.now(); }
  void run();

  static constexpr Duration period = 24h;
  Kernel& kernel_;
  Trace& trace_;
  ObjectStore& store_;
  SimTime from_;
  Duration age_;
  std::vector<Unfinished> uploads_;  // In the order in which they were given up.
  bool is_running_ = false;
};

}  // namespace sim
