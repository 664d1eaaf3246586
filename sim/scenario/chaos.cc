#include "sim/scenario/chaos.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/policy.h"
#include "sim/scenario/names.h"
#include "sim/scenario/values.h"

namespace sim {

namespace {

constexpr std::array infos{
    ChaosKeyInfo{"kinds", "all", "names", "Kinds of fault to draw from; -KIND leaves one out of `all`."},
    ChaosKeyInfo{"faults", "1..8", "range", "How many kinds one world has."},
    ChaosKeyInfo{"window", "30s..7m30s", "range", "How long a fault lasts."},
    ChaosKeyInfo{"from", "", "range", "When a fault may begin; empty: wherever it ends in time."},
    ChaosKeyInfo{"repeat", "0.25", "share", "Share of the faults that come again and again."},
    ChaosKeyInfo{"run-twice", "0.05", "share",
                 "Share of the seeds that run twice, to prove that the traces are equal."},
    ChaosKeyInfo{"known", "", "signatures", "POLICY/INVARIANT/STATES/FAULT accepted for now; `*` is any text."},
    ChaosKeyInfo{"known.NAME", "", "signatures", "The same; the name says why."},
    ChaosKeyInfo{"may-miss", "", "names", "Goals that a campaign need not reach."},
    ChaosKeyInfo{"SECTION.KEY", "", "values", "Values or ranges A..B of a scenario's key, joined with blanks."},
    ChaosKeyInfo{"KIND.PARAM", "", "values",
                 "The same of a fault's parameter, `duration` or `target`; KIND may be `*`."},
};

/// What is easy to read in a plan: whole seconds, whole KiB, where both ends are.
std::int64_t grain(std::int64_t low, std::int64_t high, std::span<const std::int64_t> grains) {
  for (const std::int64_t size : grains) {
    if (low % size == 0 && high % size == 0 && high - low >= 10 * size) return size;
  }
  return 1;
}

std::int64_t thousandths(Ratio ratio) { return static_cast<std::int64_t>(ratio.numerator * 1'000 / ratio.denominator); }

/// Both ends read as one kind of value; nothing when they are none.
template <class Parse, class Number>
std::optional<DrawnValue> read_ends(DrawnValue::Kind kind, std::string_view low, std::string_view high, Parse parse,
                                    Number number) {
  const auto from = parse(low);
  const auto to = parse(high);
  if (!from || !to) return std::nullopt;
  return DrawnValue{kind, {}, number(*from), number(*to)};
}

std::optional<DrawnValue> read_range(std::string_view low, std::string_view high) {
  using Kind = DrawnValue::Kind;
  const auto same = [](std::int64_t value) { return value; };
  const auto bytes = [](Bytes value) { return value.value(); };
  if (auto value = read_ends(Kind::integer, low, high, &parse_integer, same)) return value;
  if (auto value = read_ends(
          Kind::rate, low, high, [](auto text) { return parse_rate(text); }, bytes))
    return value;
  if (auto value = read_ends(
          Kind::duration, low, high, [](auto text) { return parse_duration(text); },
          [](Duration time) { return time.count(); }))
    return value;
  if (auto value = read_ends(
          Kind::bytes, low, high, [](auto text) { return parse_bytes(text, Unit::none); }, bytes))
    return value;
  return read_ends(Kind::share, low, high, &parse_ratio, &thousandths);
}

Result<DrawnValue, std::string> parse_drawn_value(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return DrawnValue{DrawnValue::Kind::text, std::string{text}, 0, 0};
  const auto value = read_range(text.substr(0, dots), text.substr(dots + 2));
  if (!value) return Failed{fmt::format("{} is no range: write 2..4, 30s..5m, 1MiB..8MiB or 0.1..0.5", quoted(text))};
  if (value->low > value->high) return Failed{fmt::format("{}: the first end is above the second", quoted(text))};
  return *value;
}

std::string format_drawn(DrawnValue::Kind kind, std::int64_t value) {
  using Kind = DrawnValue::Kind;
  switch (kind) {
    case Kind::duration:
      return format_duration(Duration{value});
    case Kind::bytes:
      return format_bytes(Bytes{value});
    case Kind::rate:
      return format_rate(Bytes{value});
    case Kind::share:
      return format_ratio(Ratio{static_cast<std::uint64_t>(value), 1'000});
    default:
      return fmt::format("{}", value);
  }
}

class ChaosReader {
 public:
  explicit ChaosReader(std::span<const FaultKindInfo> kinds) : kinds_(kinds) {
    for (const FaultKindInfo& kind : kinds) names_.emplace_back(kind.name);
    options_.kinds = names_;
  }

  Result<ChaosOptions, std::vector<InputError>> read(std::span<const WrittenKey> keys) {
    for (const WrittenKey& key : keys) {
      origin_ = key.origin;
      if (auto error = read_key(key.key, key.value))
        errors_.add(key.origin, fmt::format("[chaos] {}: {}", key.key, *error));
    }
    if (!errors_.empty()) return Failed{errors_.take()};
    return std::move(options_);
  }

 private:
  using Error = std::optional<std::string>;

  Error read_key(const std::string& key, const std::string& value) {
    if (key == "kinds") return read_kinds(value);
    if (key == "faults") return read_number(value, DrawnValue::Kind::integer, options_.faults);
    if (key == "window") return read_number(value, DrawnValue::Kind::duration, options_.window);
    if (key == "from") {
      options_.from.emplace();
      return read_number(value, DrawnValue::Kind::duration, *options_.from);
    }
    if (key == "repeat") return read_share(value, options_.repeat);
    if (key == "run-twice") return read_share(value, options_.run_twice);
    if (key == "known" || key.starts_with("known.")) return read_known(value);
    if (key == "may-miss") {
      options_.may_miss = split_list(value, ",");
      return std::nullopt;
    }
    return read_values(key, value);
  }

  Error read_kinds(const std::string& value) {
    std::vector<std::string> chosen;
    for (std::string word : split_list(value, " \t,")) {
      const bool leaves_out = word.starts_with('-');
      if (leaves_out) word.erase(0, 1);
      if (word == "all") {
        chosen = names_;
        continue;
      }
      if (std::find(names_.begin(), names_.end(), word) == names_.end())
        return fmt::format("unknown kind of fault {}{}", quoted(word), suggestion(word, names_));
      std::erase(chosen, word);
      if (!leaves_out) chosen.push_back(word);
    }
    if (chosen.empty()) return "no kind of fault is left";
    options_.kinds = std::move(chosen);
    return std::nullopt;
  }

  static Error read_number(const std::string& value, DrawnValue::Kind kind, DrawnValue& into) {
    // One value is a range of one.
    const auto range = parse_drawn_value(value.find("..") == std::string::npos ? value + ".." + value : value);
    if (!range) return range.error();
    // `0` has no unit and is a duration all the same.
    if (range->kind != kind || range->low < 0) return fmt::format("{} is out of place", quoted(value));
    into = *range;
    return std::nullopt;
  }

  static Error read_share(const std::string& value, Ratio& into) {
    const auto share = parse_ratio(value);
    if (!share) return share.error();
    if (share->numerator > share->denominator) return fmt::format("{} is out of range: at most 1", quoted(value));
    into = *share;
    return std::nullopt;
  }

  Error read_known(const std::string& value) {
    for (const std::string& word : split_list(value, " \t,")) {
      const auto parts = split_list(word, "/");
      if (parts.size() != 4) return fmt::format("{}: write POLICY/INVARIANT/STATES/FAULT", quoted(word));
      if (auto error = part_problem(parts)) return fmt::format("{}: {}", quoted(word), *error);
      options_.known.push_back({parts[0], parts[1], parts[2], parts[3]});
    }
    return std::nullopt;
  }

  /// A pattern that nothing can match hides nothing, and its writer would not notice.
  Error part_problem(const std::vector<std::string>& parts) const {
    const auto none_of = [](const std::string& pattern, const std::vector<std::string>& names) {
      return std::none_of(names.begin(), names.end(),
                          [&](const std::string& name) { return matches_text(pattern, name); });
    };
    std::vector<std::string> policies;
    for (const PolicyEntry& policy : model::policies()) policies.emplace_back(policy.name);
    const std::string policy = parts[0].substr(0, parts[0].find(':'));
    if (none_of(policy, policies))
      return fmt::format("unknown policy {}{}", quoted(policy), suggestion(policy, policies));
    std::vector<std::string> states{"-"};
    for (std::size_t i = 0; i < remote_log_segment_state_count; ++i)
      states.emplace_back(to_string(static_cast<RemoteLogSegmentState>(i)));
    for (const std::string& state : split_list(parts[2], ">")) {
      const bool is_open = state.find('*') != std::string::npos;
      if (!is_open && none_of(state, states))
        return fmt::format("unknown state {}{}", quoted(state), suggestion(state, states));
    }
    std::vector<std::string> faults = names_;
    faults.insert(faults.end(), {"-", std::string{size_retention}});
    if (none_of(parts[3], faults))
      return fmt::format("unknown kind of fault {}{}", quoted(parts[3]), suggestion(parts[3], faults));
    return std::nullopt;
  }

  Error read_values(const std::string& key, const std::string& value) {
    auto values = parse_drawn_values(value);
    if (!values) return values.error();
    if (values->empty()) return "no value";
    const std::size_t dot = key.find('.');
    if (dot == std::string::npos) {
      std::vector<std::string> known;
      for (const ChaosKeyInfo& info : infos) known.emplace_back(info.name);
      return fmt::format("unknown key{}", suggestion(key, known));
    }
    const std::string first = key.substr(0, dot);
    const std::string param = key.substr(dot + 1);
    const auto kind = std::find(names_.begin(), names_.end(), first);
    if (first != "*" && kind == names_.end()) {
      options_.keys.push_back({key, std::move(*values), origin_});
      return std::nullopt;
    }
    if (auto error = param_problem(first, param)) return error;
    options_.params.push_back({key, std::move(*values), origin_});
    return std::nullopt;
  }

  Error param_problem(std::string_view kind, std::string_view param) const {
    std::vector<std::string> known{"duration", "target"};
    for (const FaultKindInfo& info : kinds_) {
      if (kind != "*" && info.name != kind) continue;
      for (const ParamInfo& row : info.params) known.emplace_back(row.name);
    }
    if (std::find(known.begin(), known.end(), param) != known.end()) return std::nullopt;
    return fmt::format("unknown parameter {}{}", quoted(param), suggestion(param, known));
  }

  std::span<const FaultKindInfo> kinds_;
  std::vector<std::string> names_;
  ChaosOptions options_;
  /// Of the key that is read.
  KeyOrigin origin_;
  InputErrors errors_;
};

}  // namespace

std::string DrawnValue::draw(std::uint64_t keyed) const {
  constexpr std::array<std::int64_t, 2> times{1'000'000, 1'000};
  constexpr std::array<std::int64_t, 2> sizes{1 << 20, 1 << 10};
  if (kind == Kind::text) return text;
  const std::int64_t step = kind == Kind::duration                      ? grain(low, high, times)
                            : kind == Kind::bytes || kind == Kind::rate ? grain(low, high, sizes)
                                                                        : 1;
  return format_drawn(kind, low + step * uniform(keyed, 0, (high - low) / step));
}

std::vector<std::string> DrawnValue::ends() const {
  if (kind == Kind::text) return {text};
  return {format_drawn(kind, low), format_drawn(kind, high)};
}

std::string DrawnKey::draw(std::uint64_t keyed) const {
  const auto chosen = uniform(keyed, 0, static_cast<std::int64_t>(values.size()) - 1);
  return values[static_cast<std::size_t>(chosen)].draw(mix(keyed));
}

bool matches_text(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() != '*')
    return !text.empty() && text.front() == pattern.front() && matches_text(pattern.substr(1), text.substr(1));
  for (std::size_t skipped = 0; skipped <= text.size(); ++skipped) {
    if (matches_text(pattern.substr(1), text.substr(skipped))) return true;
  }
  return false;
}

std::string to_string(const Signature& signature) {
  return fmt::format("{}/{}/{}/{}", signature.policy, signature.invariant, signature.states, signature.fault);
}

bool matches(const Signature& pattern, const Signature& signature) {
  return matches_text(pattern.policy, signature.policy) && matches_text(pattern.invariant, signature.invariant) &&
         matches_text(pattern.states, signature.states) && matches_text(pattern.fault, signature.fault);
}

bool ChaosOptions::is_known(const Signature& signature) const {
  return std::any_of(known.begin(), known.end(), [&](const Signature& pattern) { return matches(pattern, signature); });
}

Result<ChaosOptions, std::vector<InputError>> read_chaos(std::span<const WrittenKey> keys,
                                                         std::span<const FaultKindInfo> kinds) {
  return ChaosReader{kinds}.read(keys);
}

std::span<const ChaosKeyInfo> chaos_keys() { return infos; }

Result<std::vector<DrawnValue>, std::string> parse_drawn_values(std::string_view text) {
  std::vector<DrawnValue> values;
  for (const std::string& word : split_list(text, " \t")) {
    auto value = parse_drawn_value(word);
    if (!value) return Failed{value.error()};
    values.push_back(std::move(*value));
  }
  return values;
}

}  // namespace sim
