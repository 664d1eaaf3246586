#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/scenario/fault_plan.h"
#include "sim/scenario/names.h"
#include "sim/scenario/values.h"

namespace sim {

namespace {

using Error = Failed<std::string>;
using NodeResult = Result<TargetNode, std::string>;

constexpr std::size_t nodes_max = 100;

std::vector<std::string> topic_names(const PlanWorld& world) {
  std::vector<std::string> names;
  for (const auto& [name, partitions] : world.topics) names.push_back(name);
  return names;
}

// A number from `least` up to below `end`.
Result<std::int32_t, std::string> parse_index(std::string_view what, std::string_view text, std::int32_t least,
                                              std::int32_t end) {
  const auto number = parse_integer(text);
  if (!number || *number < least || *number >= end) {
    return Error{fmt::format("unknown {} {} (valid: {} to {})", what, quoted(text), least, end - 1)};
  }
  return static_cast<std::int32_t>(*number);
}

Result<std::int32_t, std::string> partitions_of(std::string_view topic, const PlanWorld& world) {
  for (const auto& [name, partitions] : world.topics) {
    if (name == topic) return partitions;
  }
  return Error{fmt::format("unknown topic {}{}", quoted(topic), suggestion(topic, topic_names(world)))};
}

// `T-3`: a topic's name may hold `-` itself.
NodeResult parse_partition(TargetKind kind, std::string_view text, const PlanWorld& world) {
  const std::size_t dash = text.rfind('-');
  if (dash == std::string_view::npos) return Error{fmt::format("no partition: {}; write TOPIC-NUMBER", quoted(text))};
  TargetNode node{
      .kind = kind, .broker = {}, .topic = std::string{text.substr(0, dash)}, .partition = 0, .metadata_partition = {}};
  const auto partitions = partitions_of(node.topic, world);
  if (!partitions) return Error{partitions.error()};
  const auto index = parse_index(fmt::format("partition of {}", node.topic), text.substr(dash + 1), 0, *partitions);
  if (!index) return Error{index.error()};
  node.partition = *index;
  return node;
}

NodeResult parse_node(std::string_view text, const PlanWorld& world) {
  TargetNode node;
  if (text == "*") return node;
  if (text == "store" || text == "metadata") {
    node.kind = text == "store" ? TargetKind::store : TargetKind::metadata;
    return node;
  }
  const std::size_t colon = text.find(':');
  const auto word = text.substr(0, colon);
  const auto rest = colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1);
  if (word == "partition" && !rest.empty()) return parse_partition(TargetKind::partition, rest, world);
  if (word == "metadata-of" && !rest.empty()) return parse_partition(TargetKind::metadata_of, rest, world);
  if (word == "topic" && !rest.empty()) {
    const auto partitions = partitions_of(rest, world);
    if (!partitions) return Error{partitions.error()};
    node.kind = TargetKind::topic;
    node.topic = rest;
    return node;
  }
  if (word == "broker" && !rest.empty()) {
    const auto id = parse_index("broker", rest, 1, world.brokers + 1);
    if (!id) return Error{id.error()};
    node.kind = TargetKind::broker;
    node.broker = BrokerId{*id};
    return node;
  }
  if (word == "metadata" && !rest.empty()) {
    const auto index = parse_index("metadata partition", rest, 0, world.metadata_partitions);
    if (!index) return Error{index.error()};
    node.kind = TargetKind::metadata_partition;
    node.metadata_partition = MetadataPartition{static_cast<std::uint32_t>(*index)};
    return node;
  }
  const std::array<std::string, 7> words{"broker:ID", "topic:NAME", "partition:NAME-NUMBER",  "store",
                                         "metadata",  "metadata:M", "metadata-of:NAME-NUMBER"};
  const std::array<std::string, 6> plain{"broker", "topic", "partition", "store", "metadata", "metadata-of"};
  const std::string nearest = nearest_name(word, plain);
  const std::string hint = nearest.empty() ? fmt::format(" (valid: {}, *)", fmt::join(words, ", "))
                                           : fmt::format(" (did you mean '{}'?)", nearest);
  return Error{fmt::format("unknown target {}{}", quoted(text), hint)};
}

Result<std::vector<TargetNode>, std::string> parse_nodes(std::string_view text, const PlanWorld& world) {
  std::vector<TargetNode> nodes;
  while (true) {
    const std::size_t plus = std::min(text.find('+'), text.size());
    const auto node = parse_node(trimmed(text.substr(0, plus)), world);
    if (!node) return Error{node.error()};
    nodes.push_back(*node);
    if (nodes.size() > nodes_max) return Error{fmt::format("more than {} parts in one target", nodes_max)};
    if (plus == text.size()) return nodes;
    text.remove_prefix(plus + 1);
  }
}

bool can_end_link(const TargetNode& node) {
  switch (node.kind) {
    case TargetKind::all:
    case TargetKind::broker:
    case TargetKind::store:
    case TargetKind::metadata:
    case TargetKind::metadata_partition:
    case TargetKind::metadata_of:
      return true;
    case TargetKind::topic:
    case TargetKind::partition:
    case TargetKind::link:
      return false;
  }
  return false;
}

bool is_metadata(TargetKind kind) {
  return kind == TargetKind::metadata || kind == TargetKind::metadata_partition || kind == TargetKind::metadata_of;
}

bool intersects(const TargetNode& a, const TargetNode& b) {
  if (a.kind == TargetKind::all || b.kind == TargetKind::all) return true;
  if (is_metadata(a.kind) && is_metadata(b.kind)) {
    if (a.kind == TargetKind::metadata || b.kind == TargetKind::metadata) return true;
    // Which metadata partition a user partition has is known in the running world only.
    return a.kind == b.kind && a.metadata_partition == b.metadata_partition && a.topic == b.topic &&
           a.partition == b.partition;
  }
  const auto has_topic = [](const TargetNode& node) {
    return node.kind == TargetKind::topic || node.kind == TargetKind::partition;
  };
  if (has_topic(a) && has_topic(b)) {
    if (a.topic != b.topic) return false;
    return a.kind == TargetKind::topic || b.kind == TargetKind::topic || a.partition == b.partition;
  }
  return a.kind == b.kind && a.broker == b.broker;
}

bool intersects(const std::vector<TargetNode>& a, const std::vector<TargetNode>& b) {
  return std::any_of(a.begin(), a.end(), [&](const TargetNode& one) {
    return std::any_of(b.begin(), b.end(), [&](const TargetNode& other) { return intersects(one, other); });
  });
}

}  // namespace

Result<Target, std::string> parse_target(std::string_view given, const PlanWorld& world) {
  const std::string_view text = trimmed(given);
  if (text.empty()) return Error{"the target is empty; * stands for all"};
  Target target;
  const std::size_t arrow = text.find('>');
  target.is_link = arrow != std::string_view::npos;
  target.both_ways = target.is_link && arrow > 0 && text[arrow - 1] == '<';
  const auto left = text.substr(0, target.both_ways ? arrow - 1 : std::min(arrow, text.size()));
  const auto from = parse_nodes(left, world);
  if (!from) return Error{from.error()};
  target.from = *from;
  if (!target.is_link) return target;
  const auto to = parse_nodes(text.substr(arrow + 1), world);
  if (!to) return Error{to.error()};
  target.to = *to;
  for (const auto& nodes : {target.from, target.to}) {
    if (!std::all_of(nodes.begin(), nodes.end(), can_end_link)) {
      return Error{fmt::format("{}: a link is between brokers, store and metadata", quoted(text))};
    }
  }
  return target;
}

bool intersects(const Target& a, const Target& b) {
  if (a.is_link != b.is_link) return true;  // Only `*` is both: no kind takes two sorts of target otherwise.
  if (!a.is_link) return intersects(a.from, b.from);
  const bool same_way = intersects(a.from, b.from) && intersects(a.to, b.to);
  const bool other_way = intersects(a.from, b.to) && intersects(a.to, b.from);
  return same_way || ((a.both_ways || b.both_ways) && other_way);
}

}  // namespace sim
