#include "reports/import/curve_fold.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "reports/csv.h"
#include "reports/csv_stream.h"
#include "reports/run_files.h"

namespace reports {
namespace {

using enum RemoteLogSegmentState;

constexpr std::array<std::int64_t, 9> grids{1'000,      10'000,     60'000,      600'000,      3'600'000,
                                            21'600'000, 86'400'000, 864'000'000, 8'640'000'000};

/// The first point of the grid at or after `value`.
constexpr std::int64_t rounded_up(std::int64_t value, std::int64_t unit) {
  const auto down = value / unit;
  return value > down * unit ? down + 1 : down;
}

std::string_view curve_columns() {
  const auto files = run_files();
  const auto found =
      std::find_if(files.begin(), files.end(), [](const auto& file) { return file.name == "curves.csv"; });
  return found->columns;
}

}  // namespace

CurveFold::CurveFold(std::int64_t every_ms)
    : every_ms_(every_ms > 0 ? every_ms : grids.front()), chooses_(every_ms <= 0) {}

void CurveFold::Sums::add(const Sums& other) {
  stored += other.stored;
  in_flight += other.in_flight;
  deleting += other.deleting;
  stuck += other.stuck;
  dangling += other.dangling;
  garbage_count += other.garbage_count;
}

CurveFold::Topic& CurveFold::topic_of(std::string_view name) {
  if (last_topic_ != nullptr && last_name_ == name) return *last_topic_;
  auto found = topics_.find(name);
  if (found == topics_.end()) found = topics_.emplace(name, Topic{}).first;
  last_name_ = name;
  return *(last_topic_ = &found->second);
}

CurveFold::Sums& CurveFold::at(Topic& topic, std::int64_t time_ms) {
  const auto point = rounded_up(time_ms, every_ms_);
  if (topic.last == nullptr || topic.last_point != point) {
    topic.last = &topic.changes[point];
    topic.last_point = point;
  }
  return *topic.last;
}

/// The points of a coarser grid are points of the finer one, so no value at them changes.
void CurveFold::coarsen(std::int64_t every_ms) {
  const auto times = every_ms / every_ms_;
  for (auto& [name, topic] : topics_) {
    std::map<std::int64_t, Sums> coarse;
    for (const auto& [point, change] : topic.changes) coarse[rounded_up(point, times)].add(change);
    topic.changes = std::move(coarse);
    topic.last = nullptr;
  }
  every_ms_ = every_ms;
}

void CurveFold::leave(Topic& topic, std::int64_t size, StateNumber state, std::int64_t since_ms, std::int64_t time_ms) {
  const bool is_copying = state == number_of(copy_segment_started);
  const bool is_deleting = state == number_of(delete_segment_started);
  if (is_copying || is_deleting) {
    const bool was_stuck = time_ms - since_ms > stuck_after_ms;
    const auto until_ms = was_stuck ? since_ms + stuck_after_ms : time_ms;
    auto& change = at(topic, until_ms);
    (is_copying ? change.in_flight : change.deleting) -= size;
    if (!was_stuck) return;
    change.stuck += size;
    ++change.garbage_count;
    auto& end = at(topic, time_ms);
    end.stuck -= size;
    --end.garbage_count;
  } else if (state == number_of(dangling)) {
    auto& change = at(topic, time_ms);
    change.dangling -= size;
    --change.garbage_count;
  }
}

void CurveFold::move(std::string_view name, std::int64_t size, std::optional<StateNumber> from, std::int64_t since_ms,
                     StateNumber to, std::int64_t time_ms) {
  if (from) time_ms = std::max(time_ms, since_ms);  // Another broker's clock.
  first_ms_ = std::min(first_ms_, time_ms);
  last_ms_ = std::max(last_ms_, time_ms);
  if (chooses_ && last_ms_ - first_ms_ > points_most * every_ms_ && every_ms_ != grids.back())
    coarsen(*std::upper_bound(grids.begin(), grids.end(), every_ms_));
  if (from == to) return;
  size = std::max<std::int64_t>(size, 0);
  auto& topic = topic_of(name);
  if (from) leave(topic, size, *from, since_ms, time_ms);
  auto& change = at(topic, time_ms);
  if (!from || *from == number_of(delete_segment_finished)) change.stored += size;
  if (to == number_of(delete_segment_finished)) {
    change.stored -= size;
  } else if (to == number_of(copy_segment_started)) {
    change.in_flight += size;
  } else if (to == number_of(delete_segment_started)) {
    change.deleting += size;
  } else if (to == number_of(dangling)) {
    change.dangling += size;
    ++change.garbage_count;
  }
}

void CurveFold::remain(std::string_view name, std::int64_t size, StateNumber state, std::int64_t since_ms) {
  const bool is_working = state == number_of(copy_segment_started) || state == number_of(delete_segment_started);
  if (!is_working || last_ms_ - since_ms <= stuck_after_ms) return;
  auto& change = at(topic_of(name), since_ms + stuck_after_ms);
  size = std::max<std::int64_t>(size, 0);
  (state == number_of(copy_segment_started) ? change.in_flight : change.deleting) -= size;
  change.stuck += size;
  ++change.garbage_count;
}

Result<void, Problem> CurveFold::write(const std::string& path) const {
  CsvFile out{File::create(path), curve_columns()};
  const auto write_row = [&](std::int64_t point, std::string_view topic, const Sums& sums) {
    out.integer(point * every_ms_).text(topic).integer(sums.stored).empty().integer(sums.in_flight).empty().empty();
    out.integer(sums.dangling).integer(sums.deleting).integer(sums.stuck).empty().empty().empty();
    out.integer(sums.dangling + sums.stuck).integer(sums.garbage_count);
    out.empty().empty().empty().empty().empty().empty().empty().empty().end_row();
  };
  if (topics_.empty()) return out.close();

  const auto first = first_ms_ / every_ms_;
  const auto last = std::max(first, rounded_up(last_ms_, every_ms_));
  struct Place {
    const std::string* name;
    std::map<std::int64_t, Sums>::const_iterator next;
    std::map<std::int64_t, Sums>::const_iterator end;
    Sums sums;
  };
  std::vector<Place> places;
  for (const auto& [name, topic] : topics_) places.push_back({&name, topic.changes.begin(), topic.changes.end(), {}});
  std::vector<Place*> told;
  Sums all;
  for (auto point = first; point <= last; ++point) {
    told.clear();
    for (auto& place : places) {
      const bool has_changed = place.next != place.end && place.next->first <= point;
      while (place.next != place.end && place.next->first <= point) {
        place.sums.add(place.next->second);
        all.add(place.next->second);
        ++place.next;
      }
      if (has_changed || point == first || point == last) told.push_back(&place);
    }
    write_row(point, "*", all);
    for (const auto* place : told) write_row(point, *place->name, place->sums);
  }
  return out.close();
}

Result<void, Problem> fold_curves(const std::string& transitions, const std::string& to, std::int64_t every_ms) {
  using namespace std::string_view_literals;
  constexpr std::array columns{"time_ms"sv, "topic"sv, "segment_id"sv, "size_bytes"sv, "from_state"sv, "to_state"sv};
  auto rows = CsvStream::open(transitions, columns);
  if (!rows) return Failed{rows.error()};
  struct Copy {
    std::string topic;
    std::int64_t size = 0;
    std::int64_t since_ms = 0;
    StateNumber state = 0;
  };
  std::map<std::string, Copy, std::less<>> copies;
  StateNames states;
  CurveFold curves{every_ms};
  while (rows->next()) {
    const auto state = states.number_of((*rows)[5]);
    auto found = copies.find((*rows)[2]);
    const bool is_new = found == copies.end();
    const auto time_ms = rows->integer(0);
    if (is_new) {
      const auto size = (*rows)[3].empty() ? -1 : rows->integer(3);
      found = copies.emplace((*rows)[2], Copy{std::string{(*rows)[1]}, size, time_ms, state}).first;
    }
    auto& copy = found->second;
    curves.move(copy.topic, copy.size, is_new ? std::nullopt : std::optional{copy.state}, copy.since_ms, state,
                time_ms);
    if (is_new || copy.state == state) continue;
    copy.state = state;
    copy.since_ms = std::max(copy.since_ms, time_ms);
  }
  if (!rows->problem().empty()) return Failed{rows->problem()};
  for (const auto& [id, copy] : copies) curves.remain(copy.topic, copy.size, copy.state, copy.since_ms);
  return curves.write(to);
}

}  // namespace reports
