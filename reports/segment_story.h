#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "sim/observers/ledger.h"
#include "sim/observers/world_view.h"
#include "sim/run_result.h"
#include "sim/trace/trace.h"

namespace reports {

using namespace model;

/// The copies that `text` names among those of the world so far: an id of 22 characters or a prefix that no other id
/// has, or all copies of TOPIC-PARTITION@OFFSET. The error names the nearest ones that there are. In the order of their
/// making, never empty.
Result<std::vector<std::uint32_t>, std::string> find_segments(const sim::WorldView& world, std::string_view text);

/// Collects what happens to some copies, in lines, up to one record. Many lines lose their middle.
class SegmentPaths final : public sim::RunListener {
 public:
  /// `segments` by number; `last` is the number of the last record that counts.
  SegmentPaths(std::vector<std::uint32_t> segments, std::uint64_t last);
  void begin(const sim::WorldView& world) override;
  void record(const sim::TraceRecord& record) override;
  /// Whether no further record counts.
  bool is_complete() const { return is_complete_; }
  /// Of the copy at this place in `segments`: one line a change of state or call, each with its end.
  std::string text(std::size_t place) const;

 private:
  struct Path {
    std::vector<std::string> first;
    std::deque<std::string> last;
    std::size_t count = 0;
  };
  void add(const RemoteLogSegment* segment, const sim::TraceRecord& record, const std::string& what);

  std::vector<std::uint32_t> segments_;
  std::uint64_t last_;
  bool is_complete_ = false;
  std::vector<std::string> fault_labels_;
  std::vector<Path> paths_;
};

/// What a copy is now, its path, why it became garbage, and who removed it or will. `path` is SegmentPaths' text.
std::string tell_segment(const sim::WorldView& world, const sim::Ledger& ledger, const RemoteLogSegment& segment,
                         std::string_view path);

}  // namespace reports
