#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/scenario/fault_plan.h"
#include "sim/scenario/names.h"
#include "sim/scenario/option_values.h"
#include "sim/scenario/values.h"

namespace sim {

namespace {

using MaybeError = std::optional<std::string>;

template <class T>
MaybeError error_of(const Result<T, std::string>& result) {
  return result ? MaybeError{} : MaybeError{result.error()};
}

MaybeError ratio_error(const ParamInfo& param, std::string_view text) {
  const auto ratio = parse_ratio(text);
  if (!ratio) return ratio.error();
  // A factor may be anything that can be divided by; every other ratio is a share.
  const bool is_share = param.name != "factor";
  if (!is_share && ratio->numerator == 0) return fmt::format("{} is out of range: above 0", quoted(text));
  if (is_share && ratio->numerator > ratio->denominator)
    return fmt::format("{} is out of range: at most 1", quoted(text));
  return std::nullopt;
}

MaybeError operations_error(std::string_view text) {
  const std::array<std::string, 4> valid{"put", "get", "delete", "list"};
  const auto operations = split_list(text, "+");
  if (operations.empty()) return fmt::format("{}: no operation; join put, get, delete and list with +", quoted(text));
  for (const std::string& operation : operations) {
    if (std::find(valid.begin(), valid.end(), operation) == valid.end()) {
      return fmt::format("unknown operation {}{}", quoted(operation), suggestion(operation, valid));
    }
  }
  return std::nullopt;
}

MaybeError word_error(const ParamInfo& param, std::string_view text) {
  if (param.words.empty()) return std::nullopt;
  const auto valid = split_list(param.words, "|");
  if (std::find(valid.begin(), valid.end(), text) != valid.end()) return std::nullopt;
  return fmt::format("{} is none of its values{}", quoted(text), suggestion(text, valid));
}

MaybeError stored_error(std::string_view text) {
  const std::array<std::string, 6> valid{
      "none", "all", "log", "indexes", "producer-snapshot", "leader-epoch-checkpoint"};
  if (std::find(valid.begin(), valid.end(), text) != valid.end()) return std::nullopt;
  const bool is_size = !text.empty() && ((text[0] >= '0' && text[0] <= '9') || text[0] == '-');
  if (is_size) return error_of(parse_bytes(text, Unit::none));
  return fmt::format("{} is neither a size nor a step{}", quoted(text), suggestion(text, valid));
}

}  // namespace

std::optional<std::string> param_error(const ParamInfo& param, std::string_view text) {
  // What a kind declares as its default may be a word of its own, as `none`.
  if (text == param.default_text && !text.empty()) return std::nullopt;
  switch (param.type) {
    case ParamType::duration:
      return error_of(parse_duration(text));
    case ParamType::distribution:
      return error_of(parse_distribution(text));
    case ParamType::ratio:
      return ratio_error(param, text);
    case ParamType::bytes:
      return error_of(parse_bytes(text, Unit::none));
    case ParamType::rate:
      return error_of(parse_rate(text));
    case ParamType::integer:
      return error_of(parse_integer(text));
    case ParamType::word:
      return word_error(param, text);
    case ParamType::operations:
      return operations_error(text);
    case ParamType::stored:
      return stored_error(text);
    case ParamType::topic_option: {
      TopicOptions scratch;
      return set_option(scratch, param.name, text).error;
    }
  }
  return std::nullopt;
}

}  // namespace sim
