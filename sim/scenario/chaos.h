// [chaos]: what a seed may draw. Keys of the scenario and parameters of faults get a value out of a list; each seed
// takes a few kinds of fault (a swarm: the same kinds in every world would hide what they mask) and a window for each.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/kernel/random.h"
#include "sim/scenario/scenario.h"

namespace sim {

/// What a key may be in a drawn world: a text, or anything between two ends, both included.
struct DrawnValue {
  enum class Kind : std::uint8_t { text, integer, duration, bytes, rate, share };
  Kind kind = Kind::text;
  std::string text = {};
  /// In the kind's base unit (microseconds, bytes, bytes a second; thousandths of a share).
  std::int64_t low = 0;
  std::int64_t high = 0;

  /// As a file writes it.
  std::string draw(std::uint64_t keyed) const;
  /// Its ends as a file writes them: what any draw is between.
  std::vector<std::string> ends() const;
};

/// The values of one key, of which a draw takes one.
struct DrawnKey {
  /// `client.attempts`, or of a parameter `store-slow.factor`, `*.error`.
  std::string name;
  std::vector<DrawnValue> values;
  KeyOrigin origin = {};

  std::string draw(std::uint64_t keyed) const;
};

/// In a signature in place of a kind of fault: size retention counts some bytes twice in every version, without any
/// fault.
inline constexpr std::string_view size_retention = "size-retention";

/// What failures have in common: an invariant, the states that the copy went through, the kind of fault that left it,
/// or the last one before a safety invariant broke. Parts that do not apply are `-`.
struct Signature {
  std::string policy;
  std::string invariant;
  /// As `COPY_SEGMENT_STARTED>DANGLING`; what repeats stands there once.
  std::string states = "-";
  std::string fault = "-";

  friend auto operator<=>(const Signature&, const Signature&) = default;
};
/// `POLICY/INVARIANT/STATES/FAULT`.
std::string to_string(const Signature& signature);
/// Whether a text is as a pattern, in which `*` stands for any text, has it.
bool matches_text(std::string_view pattern, std::string_view text);
/// The same of all parts of a signature.
bool matches(const Signature& pattern, const Signature& signature);

/// [chaos], read.
struct ChaosOptions {
  /// Kinds of fault to draw from, in the order of the list of kinds.
  std::vector<std::string> kinds;
  DrawnValue faults{DrawnValue::Kind::integer, {}, 1, 8};
  DrawnValue window{DrawnValue::Kind::duration, {}, 30'000'000, 450'000'000};
  /// When a fault may begin; nothing: wherever its window ends in time.
  std::optional<DrawnValue> from = {};
  Ratio repeat{1, 4};
  Ratio run_twice{1, 20};
  std::vector<DrawnKey> keys = {};
  std::vector<DrawnKey> params = {};
  std::vector<Signature> known = {};
  /// Names of goals that a campaign need not reach.
  std::vector<std::string> may_miss = {};

  bool is_known(const Signature& signature) const;
};

/// Reads the section; without keys everything has its default and all kinds may come.
Result<ChaosOptions, std::vector<InputError>> read_chaos(std::span<const WrittenKey> keys,
                                                         std::span<const FaultKindInfo> kinds);

/// For `list keys`.
struct ChaosKeyInfo {
  std::string_view name;
  std::string_view default_text;
  std::string_view unit;
  std::string_view help;
};
std::span<const ChaosKeyInfo> chaos_keys();

/// `2..4`, `30s..7m`, `0.1..0.5`, or a text; joined with blanks where several are meant.
Result<std::vector<DrawnValue>, std::string> parse_drawn_values(std::string_view text);

}  // namespace sim
