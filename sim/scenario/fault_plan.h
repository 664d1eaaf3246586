#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/result.h"
#include "model/time.h"
#include "model/types.h"
#include "sim/scenario/input_error.h"

namespace sim {

using namespace model;

/// What a fault may be aimed at; kinds say which of them they take.
enum class TargetKind : std::uint8_t {
  all,
  broker,
  topic,
  partition,
  store,
  metadata,
  metadata_partition,
  metadata_of,
  link
};

/// One end of a link, or one thing: `broker:1`, `topic:T`, `partition:T-3`, `store`, `metadata`, `metadata:7`,
/// `metadata-of:T-3`.
struct TargetNode {
  TargetKind kind = TargetKind::all;
  BrokerId broker;
  std::string topic;
  std::int32_t partition = 0;
  MetadataPartition metadata_partition;
};

/// `A`, `A+B`, `*`, `A>B` (what A sends to B is lost) or `A<>B` (both ways).
struct Target {
  bool is_link = false;
  bool both_ways = false;
  std::vector<TargetNode> from;  ///< The things themselves when it is no link.
  std::vector<TargetNode> to;
};

/// How a parameter's value is read and checked; a `topic_option` as the topic's key of the parameter's name.
enum class ParamType : std::uint8_t {
  duration,
  distribution,
  ratio,
  bytes,
  rate,
  integer,
  word,
  operations,
  stored,
  topic_option
};

struct ParamInfo {
  std::string_view name;
  ParamType type;
  /// What holds when the plan does not say; empty: the parameter is required.
  std::string_view default_text;
  /// For `word`: the allowed words joined with `|`.
  std::string_view words;
  std::string_view help;
};

/// One kind of fault, as its file declares it; sim/faults/faults.cc lists them all.
struct FaultKindInfo {
  std::string_view name;
  std::string_view help;
  /// Takes no duration and is never healed.
  bool instant = false;
  /// Rows may overlap: each draws for itself.
  bool probabilistic = false;
  std::span<const TargetKind> targets;
  std::span<const ParamInfo> params;
};

/// One row of a plan, checked.
struct FaultRow {
  SimTime start;
  /// Nothing: to the end of the world.
  std::optional<Duration> duration;
  std::string kind;
  /// As written, and as understood.
  std::string target_text;
  Target target;
  /// Every parameter of the kind, defaults filled in, in the kind's order.
  std::vector<std::pair<std::string, std::string>> params;
  /// The params field as written.
  std::string params_text;
  std::string name;
  std::optional<Duration> every;
  /// Where it stands: for messages.
  std::string file;
  int line = 0;

  std::string_view param(std::string_view name) const;
};

/// How often the row begins in a world whose last fault ends at `faults_end`: once, or, when it repeats, as long as it
/// ends by then.
std::int64_t occurrence_count(const FaultRow& row, SimTime faults_end);

/// What targets may name, and how long the world is.
struct PlanWorld {
  std::int32_t brokers = 0;
  std::int32_t metadata_partitions = 0;
  /// Each with its number of partitions.
  std::vector<std::pair<std::string, std::int32_t>> topics;
  /// When faults without an end end: the world's end less its settling time.
  SimTime faults_end;
};

/// A target as a plan writes it; the error names the nearest valid topic, broker or word.
Result<Target, std::string> parse_target(std::string_view text, const PlanWorld& world);
/// Whether two targets have something in common; a link's direction counts.
bool intersects(const Target& a, const Target& b);

/// The value as a parameter of this type takes it, or what is wrong with it.
std::optional<std::string> param_error(const ParamInfo& param, std::string_view text);

/// One field of a plan and where it was set: in the plan, or by a key `fault.NAME.FIELD`.
struct PlanField {
  std::string text;
  KeyOrigin origin;
};

/// One row of a plan as written, nothing checked.
struct PlanRow {
  PlanField start;
  PlanField duration;
  PlanField kind;
  PlanField target;
  std::vector<std::pair<std::string, PlanField>> params;
  std::string name;
  PlanField every;
  KeyOrigin origin;

  /// Replaces a field or a parameter, or adds a parameter: what `fault.NAME.KEY = VALUE` does.
  void set(std::string_view key, PlanField value);
  /// Says where the row stands, when that is not where its text was read.
  void move_to(const KeyOrigin& place);
};

/// The header row that print_plan writes.
inline constexpr std::string_view plan_header = "start,duration,kind,target,params,name,every";

/// The rows of a plan's text, in which `${name}` stands for a variable. Lines that begin with `#` and empty lines are
/// skipped.
std::vector<PlanRow> read_plan_rows(const std::string& file, std::string_view text,
                                    const std::map<std::string, std::string>& vars, InputErrors& errors);
/// Checks kinds, targets, parameters and times, and that no two rows contradict each other.
std::vector<FaultRow> check_plan_rows(const std::vector<PlanRow>& rows, std::span<const FaultKindInfo> kinds,
                                      const PlanWorld& world, InputErrors& errors);
/// The plan with every parameter written out, as read_plan_rows reads it.
std::string print_plan(const std::vector<FaultRow>& rows);

}  // namespace sim
