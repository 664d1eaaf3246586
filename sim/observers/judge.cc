#include "sim/observers/judge.h"

#include <algorithm>
#include <array>
#include <compare>
#include <optional>

#include <fmt/format.h>

#include "sim/scenario/names.h"
#include "sim/scenario/values.h"

namespace sim {
namespace {

/// A column as one exact number; nothing when the file leaves it empty.
using Value = std::optional<__int128>;

enum class ColumnUnit : std::uint8_t { count, bytes, time, byte_hours, dollars };

struct Column {
  std::string_view name;
  ColumnUnit unit;
  Value (*value)(const Summary&);
};

__int128 number(Bytes bytes) { return bytes.value(); }
__int128 number(Duration duration) { return duration.count(); }
__int128 number(unsigned __int128 amount) { return static_cast<__int128>(amount); }
__int128 number(std::int64_t count) { return count; }
__int128 number(std::uint64_t count) { return static_cast<__int128>(count); }

/// Numbers are compared in the smallest unit: bytes, microseconds, byte-microseconds, millionths of a dollar.
constexpr __int128 microseconds_an_hour = 3'600'000'000;

constexpr std::array columns{
    Column{"seed", ColumnUnit::count, [](const Summary& s) -> Value { return number(s.seed); }},
    Column{"peak_garbage_bytes", ColumnUnit::bytes,
           [](const Summary& s) -> Value { return number(s.peak_garbage_bytes); }},
    Column{"garbage_byte_hours", ColumnUnit::byte_hours,
           [](const Summary& s) -> Value { return number(s.garbage_byte_time); }},
    Column{"waste_byte_hours", ColumnUnit::byte_hours,
           [](const Summary& s) -> Value { return number(s.waste_byte_time); }},
    Column{"reclaim_ms", ColumnUnit::time,
           [](const Summary& s) { return s.reclaim ? Value{number(*s.reclaim)} : std::nullopt; }},
    Column{"garbage_bytes_end", ColumnUnit::bytes,
           [](const Summary& s) -> Value { return number(s.garbage_bytes_end); }},
    Column{"garbage_bytes_never", ColumnUnit::bytes,
           [](const Summary& s) -> Value { return number(s.garbage_bytes_never); }},
    Column{"last_due_ms", ColumnUnit::time,
           [](const Summary& s) { return s.last_due ? Value{number(s.last_due->time_since_epoch())} : std::nullopt; }},
    Column{"garbage_age_max_ms", ColumnUnit::time, [](const Summary& s) -> Value { return number(s.garbage_age_max); }},
    Column{"orphan_bytes_end", ColumnUnit::bytes, [](const Summary& s) -> Value { return number(s.orphan_bytes_end); }},
    Column{"stuck_bytes_end", ColumnUnit::bytes, [](const Summary& s) -> Value { return number(s.stuck_bytes_end); }},
    Column{"ghosts_end", ColumnUnit::count, [](const Summary& s) -> Value { return number(s.ghosts_end); }},
    Column{"over_deleted_bytes", ColumnUnit::bytes,
           [](const Summary& s) -> Value { return number(s.over_deleted_bytes); }},
    Column{"copy_attempts", ColumnUnit::count, [](const Summary& s) -> Value { return number(s.copy_attempts); }},
    Column{"copy_failures", ColumnUnit::count, [](const Summary& s) -> Value { return number(s.copy_failures); }},
    Column{"delete_attempts", ColumnUnit::count, [](const Summary& s) -> Value { return number(s.delete_attempts); }},
    Column{"delete_failures", ColumnUnit::count, [](const Summary& s) -> Value { return number(s.delete_failures); }},
    Column{"put_bytes", ColumnUnit::bytes, [](const Summary& s) -> Value { return number(s.put_bytes); }},
    Column{"metadata_records", ColumnUnit::count, [](const Summary& s) -> Value { return number(s.metadata_records); }},
    Column{"metadata_bytes", ColumnUnit::bytes, [](const Summary& s) -> Value { return number(s.metadata_bytes); }},
    Column{"store_requests", ColumnUnit::count, [](const Summary& s) -> Value { return number(s.store_requests); }},
    Column{"cost_usd", ColumnUnit::dollars, [](const Summary& s) -> Value { return number(s.cost_micro_usd); }},
    Column{"events", ColumnUnit::count, [](const Summary& s) -> Value { return number(s.events); }},
    Column{"transitions", ColumnUnit::count, [](const Summary& s) -> Value { return number(s.transitions); }},
};

/// `garbage_bytes_end == 0`, read.
struct Assertion {
  const Column* column = nullptr;
  std::string_view comparison;
  __int128 bound = 0;
};

template <class T>
Result<__int128, std::string> bound_of(const Result<T, std::string>& parsed, __int128 factor = 1) {
  if (!parsed) return Failed{parsed.error()};
  return number(*parsed) * factor;
}

Result<__int128, std::string> read_bound(std::string_view text, ColumnUnit unit) {
  switch (unit) {
    case ColumnUnit::count:
      return bound_of(parse_integer(text));
    case ColumnUnit::bytes:
      return bound_of(parse_bytes(text));
    case ColumnUnit::time:
      return bound_of(parse_duration(text, Unit::milliseconds));
    case ColumnUnit::byte_hours:
      return bound_of(parse_bytes(text), microseconds_an_hour);
    case ColumnUnit::dollars:
      return bound_of(parse_integer(text), 1'000'000);
  }
  return Failed{std::string{"no such unit"}};
}

Result<Assertion, std::string> read_assertion(std::string_view text) {
  const auto first = text.find_first_of("=!<>");
  if (first == std::string_view::npos)
    return Failed{fmt::format("assert `{}` has no comparison (== != < <= > >=)", text)};
  const bool has_two = first + 1 < text.size() && text[first + 1] == '=';
  Assertion assertion;
  assertion.comparison = text.substr(first, has_two ? 2 : 1);
  if (assertion.comparison == "=" || assertion.comparison == "!") {
    return Failed{
        fmt::format("assert `{}`: `{}` is no comparison, use `{}=`", text, assertion.comparison, assertion.comparison)};
  }

  const std::string_view name = trimmed(text.substr(0, first));
  const auto column = std::find_if(columns.begin(), columns.end(), [name](const Column& c) { return c.name == name; });
  if (column == columns.end()) {
    return Failed{
        fmt::format("assert `{}`: summary.csv has no number column `{}`{}", text, name,
                    suggestion(name, std::vector<std::string>{assert_columns().begin(), assert_columns().end()}))};
  }
  assertion.column = &*column;
  const auto bound = read_bound(trimmed(text.substr(first + assertion.comparison.size())), column->unit);
  if (!bound) return Failed{fmt::format("assert `{}`: {}", text, bound.error())};
  assertion.bound = *bound;
  return assertion;
}

bool holds(const Assertion& assertion, const Summary& summary) {
  const Value value = assertion.column->value(summary);
  if (!value) return false;
  if (assertion.comparison == "==") return *value == assertion.bound;
  if (assertion.comparison == "!=") return *value != assertion.bound;
  if (assertion.comparison == "<") return *value < assertion.bound;
  if (assertion.comparison == "<=") return *value <= assertion.bound;
  if (assertion.comparison == ">") return *value > assertion.bound;
  return *value >= assertion.bound;
}

/// A column as people read it; byte-hours and dollars rounded down.
std::string text_of(const Column& column, const Summary& summary) {
  const Value value = column.value(summary);
  if (!value) return "empty";
  const __int128 unit = column.unit == ColumnUnit::byte_hours ? microseconds_an_hour
                        : column.unit == ColumnUnit::time     ? 1'000
                                                              : 1;
  const auto amount = static_cast<std::int64_t>(*value / unit);
  if (column.unit == ColumnUnit::dollars) return fmt::format("{}.{:06}", amount / 1'000'000, amount % 1'000'000);
  return fmt::format("{}", amount);
}

const InvariantEntry* find_invariant(std::string_view name) {
  const auto list = invariants();
  const auto found =
      std::find_if(list.begin(), list.end(), [name](const InvariantEntry& entry) { return entry.name == name; });
  return found == list.end() ? nullptr : &*found;
}

bool is_safety(std::string_view invariant) {
  const InvariantEntry* const entry = find_invariant(invariant);
  return entry == nullptr || entry->kind == InvariantKind::safety;
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Marks what is expected and says what is not; the exit code of the worst.
int judge_violations(const Expectation& expectation, RunResult& result) {
  int exit_code = 0;
  result.expected.clear();
  for (const Violation& violation : result.violations) {
    const bool is_expected =
        contains(expectation.must_break, violation.invariant) || contains(expectation.may_break, violation.invariant);
    result.expected.push_back(is_expected);
    if (is_expected) continue;
    const bool is_loss = is_safety(violation.invariant);
    exit_code = is_loss || exit_code == 1 ? 1 : 3;
    result.failures.push_back(fmt::format("unexpected {}: {} broken by {}: {}", is_loss ? "loss" : "leak",
                                          violation.invariant, violation.subject, violation.detail));
  }
  return exit_code;
}

int judge_missing(const Expectation& expectation, RunResult& result) {
  int exit_code = 0;
  for (const std::string& name : expectation.must_break) {
    const auto is_it = [&name](const Violation& violation) { return violation.invariant == name; };
    if (std::any_of(result.violations.begin(), result.violations.end(), is_it)) continue;
    result.failures.push_back(fmt::format("{} was expected to break and held", name));
    exit_code = 3;
  }
  return exit_code;
}

int judge_asserts(const Expectation& expectation, RunResult& result) {
  int exit_code = 0;
  for (const std::string& text : expectation.asserts) {
    const auto assertion = read_assertion(text);
    if (assertion && holds(*assertion, result.summary)) continue;
    result.failures.push_back(
        assertion ? fmt::format("assert `{}` failed: it is {}", text, text_of(*assertion->column, result.summary))
                  : assertion.error());
    exit_code = 1;
  }
  return exit_code;
}

}  // namespace

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::clean:
      return "clean";
    case Outcome::leak:
      return "leak";
    case Outcome::loss:
      return "loss";
    case Outcome::unknown:
      return "unknown";
  }
  return {};
}

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "pass";
    case Verdict::fail:
      return "fail";
    case Verdict::unknown:
      return "unknown";
    case Verdict::error:
      return "error";
  }
  return {};
}

Outcome outcome_of(std::span<const Violation> violations) {
  Outcome outcome = Outcome::clean;
  for (const Violation& violation : violations) {
    if (is_safety(violation.invariant)) return Outcome::loss;
    outcome = Outcome::leak;
  }
  return outcome;
}

const Expectation* expectation_of(const Scenario& scenario, const PolicyChoice& policy) {
  for (const std::string& key : {policy.label, policy.name}) {
    const auto found = scenario.expectations.find(key);
    if (found != scenario.expectations.end()) return &found->second;
  }
  return nullptr;
}

std::span<const std::string_view> assert_columns() {
  static constexpr auto names = [] {
    std::array<std::string_view, columns.size()> result;
    for (std::size_t i = 0; i < columns.size(); ++i) result[i] = columns[i].name;
    return result;
  }();
  return names;
}

std::vector<std::string> check_expectations(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const InvariantEntry& entry : invariants()) names.emplace_back(entry.name);
  std::vector<std::string> errors;
  for (const auto& [policy, expectation] : scenario.expectations) {
    for (const auto* const list : {&expectation.must_break, &expectation.may_break}) {
      for (const std::string& name : *list) {
        if (find_invariant(name) != nullptr) continue;
        errors.push_back(
            fmt::format("[expect.{}]: no invariant is called `{}`{}", policy, name, suggestion(name, names)));
      }
    }
    for (const std::string& text : expectation.asserts) {
      const auto assertion = read_assertion(text);
      if (!assertion) errors.push_back(fmt::format("[expect.{}]: {}", policy, assertion.error()));
    }
  }
  return errors;
}

void judge(const Scenario& scenario, const PolicyChoice& policy, RunResult& result) {
  const Expectation* const found = expectation_of(scenario, policy);
  const Expectation expectation = found ? *found : Expectation{};
  result.failures.clear();
  int code = judge_violations(expectation, result);
  // In a changed scenario what must break may hold, and the numbers are others.
  if (!scenario.changed) {
    const int missing = judge_missing(expectation, result);
    const int asserts = judge_asserts(expectation, result);
    code = code == 1 || asserts == 1 ? 1 : std::max(code, missing);
  }
  result.exit_code = code;
  result.summary.outcome = outcome_of(result.violations);
  result.summary.verdict = code == 0 ? Verdict::pass : Verdict::fail;
  result.summary.first_violation = result.violations.empty() ? "" : std::string{result.violations.front().invariant};
}

}  // namespace sim
