#include <utility>

#include "reports/json_writer.h"
#include "reports/lane_reader.h"

namespace reports {
namespace {

/// One column of numbers: `get` of each element.
template <class List, class Get>
void column(JsonWriter& json, std::string_view name, const List& list, Get&& get) {
  json.key(name).array();
  for (const auto& element : list) json.integer(get(element));
  json.end_array();
}

void words(JsonWriter& json, std::string_view name, const Words& list) {
  json.key(name).array();
  for (const auto& word : list.list()) json.text(word);
  json.end_array();
}

void maybe_integer(JsonWriter& json, std::optional<std::int64_t> value) {
  if (value) {
    json.integer(*value);
  } else {
    json.null();
  }
}

/// Of the steps that stand for several: how far each is behind the one before, how often it happened, and how much
/// later for the last time.
template <class StepsOf>
void folds(JsonWriter& json, const LaneBook& book, StepsOf&& steps_of) {
  std::vector<std::pair<std::size_t, const LaneStep*>> folded;
  std::size_t index = 0;
  std::size_t before = 0;
  for (const auto& copy : book.copies)
    for (const auto& step : steps_of(copy).steps()) {
      if (step.count > 1) {
        folded.emplace_back(index - before, &step);
        before = index;
      }
      ++index;
    }
  json.key("folds").object();
  column(json, "steps", folded, [](const auto& fold) { return fold.first; });
  column(json, "counts", folded, [](const auto& fold) { return fold.second->count; });
  column(json, "lasts", folded, [](const auto& fold) { return fold.second->last_time_ms - fold.second->time_ms; });
  json.end_object();
}

/// The steps of all copies, one after the other: how many each has, then the columns. `steps_of` picks one of the two
/// lists of a copy.
template <class StepsOf>
void steps(JsonWriter& json, std::string_view name, const LaneBook& book, bool with_events, StepsOf&& steps_of) {
  json.key(name).object();
  column(json, "counts", book.copies, [&](const LaneCopy& copy) { return steps_of(copy).steps().size(); });
  const auto differences = [&](std::string_view key, auto&& get) {
    std::int64_t before = 0;
    json.key(key).array();
    for (const auto& copy : book.copies)
      for (const auto& step : steps_of(copy).steps()) {
        json.integer(get(step) - before);
        before = get(step);
      }
    json.end_array();
  };
  differences("times", [](const LaneStep& step) { return step.time_ms; });
  if (with_events) differences("events", [](const LaneStep& step) { return step.event; });
  json.key("kinds").array();
  for (const auto& copy : book.copies)
    for (const auto& step : steps_of(copy).steps()) json.integer(step.kind);
  json.end_array();
  folds(json, book, steps_of);
  // [copy, how many are nowhere]
  json.key("left_out").array();
  for (std::size_t copy = 0; copy < book.copies.size(); ++copy)
    if (const auto count = steps_of(book.copies[copy]).left_out(); count > 0)
      json.array().integer(copy).integer(count).end_array();
  json.end_array();
  json.end_object();
}

void leftovers(JsonWriter& json, const LaneBook& book) {
  std::vector<std::size_t> numbers;
  for (std::size_t copy = 0; copy < book.copies.size(); ++copy)
    if (book.copies[copy].leftover) numbers.push_back(copy);
  const auto of = [&](std::size_t copy) -> const LaneLeftover& { return *book.copies[copy].leftover; };
  json.key("leftovers").object();
  std::size_t before = 0;
  column(json, "copies", numbers, [&](std::size_t copy) { return copy - std::exchange(before, copy); });
  column(json, "bytes", numbers, [&](std::size_t copy) { return of(copy).bytes; });
  // Times as distances from the copy's own first or last transition, which are alike for most.
  const auto begin_of = [&](std::size_t copy) {
    const auto& own = book.copies[copy].transitions.steps();
    return own.empty() ? std::int64_t{0} : own.front().time_ms;
  };
  column(json, "became", numbers, [&](std::size_t copy) { return of(copy).became_garbage_ms - begin_of(copy); });
  column(json, "causes", numbers, [&](std::size_t copy) { return of(copy).cause; });
  const auto end_of = [&](std::size_t copy) {
    const auto& own = book.copies[copy].transitions.steps();
    return own.empty() ? std::int64_t{0} : own.back().time_ms;
  };
  const auto number = [&](const std::string& word) {
    const auto found = book.removers.find(word);
    return found ? static_cast<std::int64_t>(*found) : -1;
  };
  column(json, "reclaimed_by", numbers, [&](std::size_t copy) { return number(of(copy).reclaimed_by); });
  column(json, "due_by", numbers, [&](std::size_t copy) { return number(of(copy).due_by); });
  for (const auto& [name, member] :
       {std::pair{"reclaimed", &LaneLeftover::reclaimed_ms}, std::pair{"due", &LaneLeftover::due_ms}}) {
    json.key(name).array();
    for (const auto copy : numbers) {
      auto time = of(copy).*member;
      if (time) *time -= end_of(copy);
      maybe_integer(json, time);
    }
    json.end_array();
  }
  json.end_object();
}

}  // namespace

std::string to_json(const Words& ids) {
  JsonWriter json;
  json.array();
  for (const auto& id : ids.list()) json.text(id);
  json.end_array();
  return json.result();
}

std::string to_json(const LaneBook& book, Words& ids) {
  JsonWriter json;
  json.object();
  words(json, "transition_kinds", book.transition_kinds);
  words(json, "call_kinds", book.call_kinds);
  words(json, "removers", book.removers);
  json.key("partitions").array();
  for (const auto& partition : book.partitions)
    json.array().text(partition.topic).integer(partition.index).integer(partition.copy_count).end_array();
  json.end_array();
  std::int64_t id_before = 0;
  column(json, "ids", book.ids.list(), [&](const std::string& id) {
    const std::int64_t number = ids.number_of(id);
    return number - std::exchange(id_before, number);
  });
  column(json, "partition_of", book.copies, [](const LaneCopy& copy) { return copy.partition; });
  column(json, "start_offsets", book.copies, [](const LaneCopy& copy) { return copy.start_offset; });
  column(json, "offset_counts", book.copies,
         [](const LaneCopy& copy) { return copy.end_offset - copy.start_offset + 1; });
  steps(json, "transitions", book, true, [](const LaneCopy& copy) -> const FoldedSteps& { return copy.transitions; });
  steps(json, "calls", book, false, [](const LaneCopy& copy) -> const FoldedSteps& { return copy.calls; });
  leftovers(json, book);
  json.key("leaders").array();
  for (const auto& change : book.leader_changes) {
    json.array().integer(change.time_ms).integer(change.partition).integer(change.broker).text(change.detail);
    json.end_array();
  }
  json.end_array().end_object();
  return json.result();
}

}  // namespace reports
