// What is checked in a plan once the world that it is for is known.
#include <algorithm>

#include <fmt/format.h>

#include "sim/scenario/fault_plan.h"
#include "sim/scenario/names.h"
#include "sim/scenario/values.h"

namespace sim {

namespace {

constexpr std::int64_t repeats_max = 100'000;

std::string_view word_of(TargetKind kind) {
  switch (kind) {
    case TargetKind::all:
      return "*";
    case TargetKind::broker:
      return "broker:ID";
    case TargetKind::topic:
      return "topic:NAME";
    case TargetKind::partition:
      return "partition:NAME-NUMBER";
    case TargetKind::store:
      return "store";
    case TargetKind::metadata:
      return "metadata";
    case TargetKind::metadata_partition:
      return "metadata:M";
    case TargetKind::metadata_of:
      return "metadata-of:NAME-NUMBER";
    case TargetKind::link:
      return "a link A>B or A<>B";
  }
  return "";
}

// Reads the rows one by one.
class RowChecker {
 public:
  RowChecker(std::span<const FaultKindInfo> kinds, const PlanWorld& world, InputErrors& errors)
      : kinds_(kinds), world_(world), errors_(errors) {}

  // Nothing when the row's kind is unknown; what else is wrong is an error and the rest of the row is read.
  const FaultKindInfo* check(const PlanRow& written, FaultRow& row) {
    const FaultKindInfo* kind = find_kind(written.kind);
    if (kind == nullptr) return nullptr;
    row.kind = kind->name;
    row.name = written.name;
    row.file = written.origin.file;
    row.line = written.origin.line;
    read_times(written, *kind, row);
    read_target(written.target, *kind, row);
    read_params(written, *kind, row);
    return kind;
  }

 private:
  const FaultKindInfo* find_kind(const PlanField& field) {
    for (const FaultKindInfo& kind : kinds_) {
      if (kind.name == field.text) return &kind;
    }
    std::vector<std::string> names;
    for (const FaultKindInfo& kind : kinds_) names.emplace_back(kind.name);
    errors_.add(field.origin,
                fmt::format("unknown fault kind {}{}", quoted(field.text), suggestion(field.text, names)));
    return nullptr;
  }

  std::optional<Duration> read_time(std::string_view what, const PlanField& field, Duration least) {
    const auto time = parse_duration(field.text);
    if (!time) {
      errors_.add(field.origin, fmt::format("{}: {}", what, time.error()));
      return std::nullopt;
    }
    if (*time < least) {
      errors_.add(field.origin, fmt::format("{}: {} is out of range: above 0", what, quoted(field.text)));
      return std::nullopt;
    }
    return *time;
  }

  void read_times(const PlanRow& written, const FaultKindInfo& kind, FaultRow& row) {
    if (const auto start = read_time("start", written.start, Duration{0})) row.start = SimTime{*start};
    if (!written.duration.text.empty()) {
      row.duration = read_time("duration", written.duration, Duration{1});
      if (kind.instant) {
        errors_.add(written.duration.origin,
                    fmt::format("'{}' happens at an instant and takes no duration", kind.name));
        row.duration.reset();
      }
    }
    if (written.every.text.empty()) return;
    row.every = read_time("every", written.every, Duration{1});
    if (!row.every) return;
    if (!kind.instant && !row.duration) {
      errors_.add(written.every.origin, "every: a repeated fault needs a duration");
      row.every.reset();
    } else if (row.duration && *row.duration > *row.every) {
      errors_.add(written.every.origin,
                  fmt::format("every: {} is shorter than the fault's duration {}, so it overlaps itself",
                              format_duration(*row.every), format_duration(*row.duration)));
      row.every.reset();
    } else if (repeats_ += occurrence_count(row, world_.faults_end) - 1; repeats_ > repeats_max) {
      errors_.add(written.every.origin,
                  fmt::format("every: the plan repeats its faults more than {} times", repeats_max));
      row.every.reset();
    }
  }

  void read_target(const PlanField& field, const FaultKindInfo& kind, FaultRow& row) {
    row.target_text = field.text;
    auto target = parse_target(field.text, world_);
    if (!target) return errors_.add(field.origin, fmt::format("target: {}", target.error()));
    const auto takes = [&](TargetKind wanted) {
      return std::find(kind.targets.begin(), kind.targets.end(), wanted) != kind.targets.end();
    };
    const auto takes_node = [&](const TargetNode& node) { return takes(node.kind); };
    const auto& nodes = target->from;
    const bool fits = target->is_link ? takes(TargetKind::link) : std::all_of(nodes.begin(), nodes.end(), takes_node);
    if (!fits) {
      std::vector<std::string_view> words;
      for (const TargetKind taken : kind.targets) words.push_back(word_of(taken));
      return errors_.add(field.origin, fmt::format("target: '{}' does not take {} (valid: {})", kind.name,
                                                   quoted(field.text), fmt::join(words, ", ")));
    }
    row.target = std::move(*target);
  }

  void read_params(const PlanRow& written, const FaultKindInfo& kind, FaultRow& row) {
    for (const ParamInfo& info : kind.params) row.params.emplace_back(info.name, info.default_text);
    for (const auto& param : written.params) {
      const std::string& name = param.first;
      const PlanField& field = param.second;
      const auto same = [&](const ParamInfo& info) { return info.name == name; };
      const auto info = std::find_if(kind.params.begin(), kind.params.end(), same);
      if (info == kind.params.end()) {
        std::vector<std::string> names;
        for (const ParamInfo& known : kind.params) names.emplace_back(known.name);
        const std::string hint = names.empty() ? " (it takes none)" : suggestion(name, names);
        errors_.add(field.origin, fmt::format("unknown parameter {} of '{}'{}", quoted(name), kind.name, hint));
        continue;
      }
      if (const auto error = param_error(*info, field.text)) {
        errors_.add(field.origin, fmt::format("{}: {}", name, *error));
      }
      row.params[static_cast<std::size_t>(info - kind.params.begin())].second = field.text;
    }
    std::string separator;
    for (const auto& [name, value] : row.params) {
      if (value.empty()) errors_.add(written.origin, fmt::format("'{}' needs the parameter {}", kind.name, name));
      row.params_text += fmt::format("{}{}={}", separator, name, value);
      separator = ";";
    }
  }

  std::span<const FaultKindInfo> kinds_;
  const PlanWorld& world_;
  InputErrors& errors_;
  std::int64_t repeats_ = 0;
};

// The operations that both rows are about; a kind without that parameter is about all.
bool share_operations(const FaultRow& a, const FaultRow& b, const FaultKindInfo& kind) {
  const auto is_operations = [](const ParamInfo& info) { return info.type == ParamType::operations; };
  const auto info = std::find_if(kind.params.begin(), kind.params.end(), is_operations);
  if (info == kind.params.end()) return true;
  const auto first = split_list(a.param(info->name), "+");
  const auto second = split_list(b.param(info->name), "+");
  return std::any_of(first.begin(), first.end(), [&](const std::string& operation) {
    return std::find(second.begin(), second.end(), operation) != second.end();
  });
}

// Whether any occurrence of one overlaps any of the other: two sorted sequences, walked side by side.
bool overlap_in_time(const FaultRow& a, const FaultRow& b, const FaultKindInfo& kind, SimTime faults_end) {
  const auto end_of = [&](const FaultRow& row, SimTime start) {
    // Two instants are one only when they are equal.
    if (kind.instant) return start + Duration{1};
    return row.duration ? start + *row.duration : std::max(faults_end, start);
  };
  std::int64_t left_a = occurrence_count(a, faults_end);
  std::int64_t left_b = occurrence_count(b, faults_end);
  SimTime start_a = a.start;
  SimTime start_b = b.start;
  while (left_a > 0 && left_b > 0) {
    if (start_a < end_of(b, start_b) && start_b < end_of(a, start_a)) return true;
    if (start_a < start_b) {
      --left_a;
      if (left_a > 0) start_a += *a.every;
    } else {
      --left_b;
      if (left_b > 0) start_b += *b.every;
    }
  }
  return false;
}

bool contradict(const FaultRow& a, const FaultRow& b, const FaultKindInfo& kind, SimTime faults_end) {
  return intersects(a.target, b.target) && overlap_in_time(a, b, kind, faults_end) && share_operations(a, b, kind);
}

}  // namespace

std::int64_t occurrence_count(const FaultRow& row, SimTime faults_end) {
  if (!row.every) return 1;
  const Duration room = faults_end - row.start - row.duration.value_or(Duration{0});
  return room < Duration{0} ? 1 : room / *row.every + 1;
}

std::vector<FaultRow> check_plan_rows(const std::vector<PlanRow>& written, std::span<const FaultKindInfo> kinds,
                                      const PlanWorld& world, InputErrors& errors) {
  RowChecker checker{kinds, world, errors};
  std::vector<FaultRow> rows;
  std::vector<std::vector<std::size_t>> by_kind(kinds.size());
  const bool was_clean = errors.empty();
  for (const PlanRow& plan_row : written) {
    FaultRow row;
    const FaultKindInfo* kind = checker.check(plan_row, row);
    if (kind == nullptr) continue;
    if (!kind->instant && !kind->probabilistic) {
      by_kind[static_cast<std::size_t>(kind - kinds.data())].push_back(rows.size());
    }
    rows.push_back(std::move(row));
  }
  if (was_clean && !errors.empty()) return rows;
  for (std::size_t number = 0; number < kinds.size(); ++number) {
    const FaultKindInfo& kind = kinds[number];
    const auto& members = by_kind[number];
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const FaultRow& later = rows[members[i]];
        const FaultRow& earlier = rows[members[j]];
        if (!contradict(earlier, later, kind, world.faults_end)) continue;
        errors.add({later.file, later.line},
                   fmt::format("'{}' contradicts line {}: the same kind on '{}' and '{}' at the same time", kind.name,
                               earlier.line, later.target_text, earlier.target_text));
        break;
      }
    }
  }
  return rows;
}

namespace {

// As RFC 4180 quotes a field, where it must.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string field = "\"";
  for (const char letter : text) field += letter == '"' ? std::string{"\"\""} : std::string{letter};
  return field + "\"";
}

}  // namespace

std::string print_plan(const std::vector<FaultRow>& rows) {
  std::string text = std::string{plan_header} + "\n";
  for (const FaultRow& row : rows) {
    text += fmt::format("{},{},{},{},{},{},{}\n", format_duration(row.start.time_since_epoch()),
                        row.duration ? format_duration(*row.duration) : "", row.kind, csv_field(row.target_text),
                        csv_field(row.params_text), row.name, row.every ? format_duration(*row.every) : "");
  }
  return text;
}

}  // namespace sim
