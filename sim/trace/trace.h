#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/trace/trace_events.h"

namespace sim {

/// Sees every record once, in order, at the instant it happens.
class TraceObserver {
 public:
  virtual ~TraceObserver() = default;
  virtual void on(const TraceRecord& record) = 0;
};

/// The one place through which everything that happens goes: numbers it, hashes it, hands it to the observers in the
/// order in which they were added. Keeps the last records for a failed CHECK.
class Trace {
 public:
  void add_observer(TraceObserver& observer) { observers_.push_back(&observer); }
  void emit(SimTime time, const TraceEvent& event);

  std::uint64_t hash() const { return hash_; }
  std::uint64_t record_count() const { return count_; }
  /// The last records, oldest first.
  std::vector<TraceRecord> last_records() const;

 private:
  static constexpr std::size_t last_count = 50;
  std::vector<TraceObserver*> observers_;
  std::vector<TraceRecord> last_;
  std::uint64_t hash_ = 0x666c6f7473616d01;
  std::uint64_t count_ = 0;
};

/// One line for people: time, number, kind and fields.
std::string describe(const TraceRecord& record);
/// The same as names and texts: time, kind, then the event's fields in their order.
std::vector<std::pair<std::string_view, std::string>> fields_of(const TraceRecord& record);
/// `transition`, `publish-ended`, ...
std::string_view kind_of(const TraceEvent& event);
/// `1h 02m 03.456s`, with microseconds only where there are some.
std::string format_time(SimTime time);

}  // namespace sim
