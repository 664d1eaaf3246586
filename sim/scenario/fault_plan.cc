#include "sim/scenario/fault_plan.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/check.h"
#include "sim/scenario/csv_reader.h"
#include "sim/scenario/ini.h"
#include "sim/scenario/names.h"
#include "sim/scenario/values.h"
#include "sim/scenario/vars.h"

namespace sim {

namespace {

constexpr std::size_t rows_max = 10'000;
const std::array<std::string, 7> columns{"start", "duration", "kind", "target", "params", "name", "every"};

std::span<const std::string> required_columns() { return std::span{columns}.first(5); }

using Reader = io::CSVReader<7, io::trim_chars<' ', '\t'>, io::double_quote_escape<',', '"'>, io::throw_on_overflow,
                             io::single_and_empty_line_comment<'#'>>;

// The text with variables replaced and one `\n` after every line: the parser reads a byte past a text without it.
std::string prepare(const std::string& file, std::string_view text, const std::map<std::string, std::string>& vars,
                    InputErrors& errors) {
  std::string prepared;
  for_each_line(file, text, errors, [&](std::string_view line, int number) {
    const KeyOrigin origin{file, number};
    if (line.starts_with('#')) {
      prepared += "#\n";
    } else if (auto expanded = substitute(line, vars)) {
      prepared += *expanded + "\n";
    } else {
      errors.add(origin, expanded.error());
    }
  });
  return prepared;
}

// `a=1;b=2`
void read_params(const std::string& text, const KeyOrigin& origin, PlanRow& row, InputErrors& errors) {
  for (const std::string& part : split_list(text, ";")) {
    const std::size_t equals = part.find('=');
    const std::string key{trimmed(std::string_view{part}.substr(0, equals))};
    if (equals == std::string::npos || key.empty()) {
      errors.add(origin, fmt::format("no parameter: {}; write key=value joined with ;", quoted(part)));
      continue;
    }
    const auto same = [&](const auto& param) { return param.first == key; };
    if (std::any_of(row.params.begin(), row.params.end(), same)) {
      errors.add(origin, fmt::format("parameter {} stands twice", quoted(key)));
      continue;
    }
    row.params.emplace_back(key, PlanField{std::string{trimmed(std::string_view{part}.substr(equals + 1))}, origin});
  }
}

// A row's name must be usable in keys and unique.
void check_name(const PlanRow& row, const std::vector<PlanRow>& rows, InputErrors& errors) {
  if (row.name.empty()) return;
  if (!is_plain_name(row.name)) {
    errors.add(row.origin, fmt::format("name {}: letters, digits, '.', '_' and '-' only", quoted(row.name)));
  }
  const auto same = [&](const PlanRow& other) { return other.name == row.name; };
  if (const auto found = std::find_if(rows.begin(), rows.end(), same); found != rows.end()) {
    errors.add(row.origin, fmt::format("name {} stands in line {} too", quoted(row.name), found->origin.line));
  }
}

}  // namespace

std::string_view FaultRow::param(std::string_view key) const {
  const auto same = [&](const auto& param) { return param.first == key; };
  const auto found = std::find_if(params.begin(), params.end(), same);
  CHECK(found != params.end(), "fault kind {} has no parameter {}", kind, key);
  return found->second;
}

void PlanRow::move_to(const KeyOrigin& place) {
  for (PlanField* field : {&start, &duration, &kind, &target, &every}) field->origin = place;
  for (auto& [key, field] : params) field.origin = place;
  origin = place;
}

void PlanRow::set(std::string_view key, PlanField value) {
  if (key == "start") {
    start = std::move(value);
  } else if (key == "duration") {
    duration = std::move(value);
  } else if (key == "every") {
    every = std::move(value);
  } else {
    const auto same = [&](const auto& param) { return param.first == key; };
    const auto found = std::find_if(params.begin(), params.end(), same);
    if (found != params.end()) {
      found->second = std::move(value);
    } else {
      params.emplace_back(key, std::move(value));
    }
  }
}

std::vector<PlanRow> read_plan_rows(const std::string& file, std::string_view text,
                                    const std::map<std::string, std::string>& vars, InputErrors& errors) {
  const std::string prepared = prepare(file, text, vars, errors);
  if (!errors.empty()) return {};
  Reader reader{file, prepared.data(), prepared.data() + prepared.size()};
  const bool has_header = read_guarded(file, reader, columns, errors, [&] {
    reader.read_header(io::ignore_missing_column, "start", "duration", "kind", "target", "params", "name", "every");
  });
  if (!has_header) return {};
  const KeyOrigin header{file, static_cast<int>(reader.get_file_line())};
  for (const std::string& column : required_columns()) {
    if (!reader.has_column(column)) errors.add(header, fmt::format("the header lacks the column '{}'", column));
  }
  if (!errors.empty()) return {};
  std::vector<PlanRow> rows;
  for (bool more = true; more;) {
    std::string start, duration, kind, target, params, name, every;
    const bool parsed = read_guarded(file, reader, columns, errors, [&] {
      more = reader.read_row(start, duration, kind, target, params, name, every);
    });
    if (!more || !parsed) continue;
    const KeyOrigin origin{file, static_cast<int>(reader.get_file_line())};
    PlanRow row{{start, origin}, {duration, origin}, {kind, origin}, {target, origin}, {}, name, {every, origin},
                origin};
    read_params(params, origin, row, errors);
    check_name(row, rows, errors);
    rows.push_back(std::move(row));
    if (rows.size() > rows_max) {
      errors.add(origin, fmt::format("more than {} faults", rows_max));
      return {};
    }
  }
  return rows;
}

}  // namespace sim
