#include "sim/faults/row_values.h"

#include <algorithm>
#include <limits>

#include "model/check.h"

namespace sim {

namespace {

/// In the order of the target, each once.
template <class Id>
void add_once(std::vector<Id>& ids, Id id) {
  if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
}

std::vector<Node> nodes_of(const std::vector<TargetNode>& targets, const Breakable& world) {
  std::vector<Node> nodes;
  const auto add_leaders = [&](std::optional<MetadataPartition> only) {
    for (BrokerId leader : world.metadata_leaders(only)) nodes.push_back(Node::broker(leader));
  };
  for (const TargetNode& target : targets) {
    switch (target.kind) {
      case TargetKind::store:
        nodes.push_back(Node::store());
        break;
      case TargetKind::broker:
        nodes.push_back(Node::broker(target.broker));
        break;
      case TargetKind::metadata:
        add_leaders(std::nullopt);
        break;
      case TargetKind::metadata_partition:
        add_leaders(target.metadata_partition);
        break;
      case TargetKind::metadata_of:
        add_leaders(world.metadata_partition_of(target.topic, target.partition));
        break;
      default:  // `*`: everybody.
        nodes.push_back(Node::store());
        for (std::int32_t id = 1; id <= world.broker_count(); ++id) nodes.push_back(Node::broker(BrokerId{id}));
    }
  }
  return nodes;
}

}  // namespace

Ratio ratio_param(const FaultRow& row, std::string_view name) {
  const auto value = parse_ratio(row.param(name));
  CHECK(value.has_value(), "{} of {}", name, row.kind);
  return *value;
}

std::int32_t integer_param(const FaultRow& row, std::string_view name) {
  const auto value = parse_integer(row.param(name));
  CHECK(value && *value >= 0 && *value <= std::numeric_limits<std::int32_t>::max(), "{} of {}", name, row.kind);
  return static_cast<std::int32_t>(*value);
}

Duration duration_param(const FaultRow& row, std::string_view name) {
  const auto value = parse_duration(row.param(name));
  CHECK(value.has_value(), "{} of {}", name, row.kind);
  return *value;
}

Bytes bytes_param(const FaultRow& row, std::string_view name) {
  const auto value = parse_bytes(row.param(name));
  CHECK(value.has_value(), "{} of {}", name, row.kind);
  return *value;
}

Bytes rate_param(const FaultRow& row, std::string_view name) {
  const auto value = parse_rate(row.param(name));
  CHECK(value.has_value(), "{} of {}", name, row.kind);
  return *value;
}

Duration clock_param(const FaultRow& row) {
  const Duration by = duration_param(row, "by");
  return row.param("direction") == "behind" ? -by : by;
}

std::vector<BrokerId> brokers_of(const Target& target, const Breakable& world) {
  std::vector<BrokerId> brokers;
  for (const TargetNode& node : target.from) {
    if (node.kind == TargetKind::broker) {
      add_once(brokers, node.broker);
      continue;
    }
    for (std::int32_t id = 1; id <= world.broker_count(); ++id) add_once(brokers, BrokerId{id});
  }
  return brokers;
}

std::vector<PartitionNumber> partitions_of(const Target& target, const Breakable& world) {
  std::vector<PartitionNumber> partitions;
  for (const TargetNode& node : target.from) {
    if (node.kind == TargetKind::partition) {
      add_once(partitions, world.partition(node.topic, node.partition));
    } else if (node.kind == TargetKind::topic) {
      const std::int32_t count = world.partition_count_of(node.topic);
      for (std::int32_t i = 0; i < count; ++i) add_once(partitions, world.partition(node.topic, i));
    } else {
      return world.all_partitions();
    }
  }
  return partitions;
}

std::vector<std::string_view> topics_of(const Target& target, const Breakable& world) {
  std::vector<std::string_view> topics;
  for (const TargetNode& node : target.from) {
    if (node.kind != TargetKind::topic) return world.topic_names();
    add_once(topics, std::string_view{node.topic});
  }
  return topics;
}

std::vector<MetadataPartition> metadata_partitions_of(const Target& target, const Breakable& world) {
  std::vector<bool> is_meant(world.metadata_partition_count());
  for (const TargetNode& node : target.from) {
    if (node.kind == TargetKind::metadata_partition) {
      is_meant[node.metadata_partition.value()] = true;
    } else if (node.kind == TargetKind::metadata_of) {
      is_meant[world.metadata_partition_of(node.topic, node.partition).value()] = true;
    } else {
      is_meant.assign(is_meant.size(), true);
    }
  }
  std::vector<MetadataPartition> partitions;
  for (std::uint32_t m = 0; m < is_meant.size(); ++m) {
    if (is_meant[m]) partitions.push_back(MetadataPartition{m});
  }
  return partitions;
}

std::vector<Link> links_of(const Target& target, const Breakable& world) {
  std::vector<Link> links;
  for (const Node from : nodes_of(target.from, world)) {
    for (const Node to : nodes_of(target.to, world)) {
      if (from == to) continue;
      links.push_back({from, to});
      if (target.both_ways) links.push_back({to, from});
    }
  }
  return links;
}

bool is_aimed_at(const Target& target, BrokerId caller) {
  return std::any_of(target.from.begin(), target.from.end(), [caller](const TargetNode& node) {
    return node.kind != TargetKind::broker || node.broker == caller;
  });
}

bool is_aimed_at(const Target& target, const Scenario& scenario, BrokerId caller, const RemoteLogSegment& segment) {
  // Partitions are numbered through, topic by topic.
  std::int64_t index = segment.partition.value();
  std::size_t topic = 0;
  while (index >= scenario.topics[topic].partitions) index -= scenario.topics[topic++].partitions;
  return std::any_of(target.from.begin(), target.from.end(), [&](const TargetNode& node) {
    if (node.kind == TargetKind::broker) return node.broker == caller;
    if (node.kind != TargetKind::topic && node.kind != TargetKind::partition) return true;
    return node.topic == scenario.topics[topic].name && (node.kind == TargetKind::topic || node.partition == index);
  });
}

DurationDistribution distribution_param(const FaultRow& row, std::string_view name) {
  const auto value = parse_distribution(row.param(name));
  CHECK(value.has_value(), "{} of {}", name, row.kind);
  return *value;
}

RemoteStorageError error_param(const FaultRow& row, std::string_view name) {
  const auto word = row.param(name);
  if (word == "retriable") return RemoteStorageError::retriable;
  if (word == "unchecked") return RemoteStorageError::unchecked;
  if (word == "fatal") return RemoteStorageError::fatal;
  CHECK(word == "permanent", "{} of {}", name, row.kind);
  return RemoteStorageError::permanent;
}

std::uint32_t operations_param(const FaultRow& row, std::string_view name) {
  std::uint32_t bits = 0;
  std::string_view rest = row.param(name);
  while (!rest.empty()) {
    const auto plus = std::min(rest.find('+'), rest.size());
    const auto word = rest.substr(0, plus);
    rest.remove_prefix(std::min(plus + 1, rest.size()));
    for (int i = 0; i < store_operation_count; ++i) {
      const auto operation = static_cast<StoreOperation>(i);
      if (word == to_string(operation)) bits |= operation_bit(operation);
    }
  }
  CHECK(bits != 0, "{} of {}", name, row.kind);
  return bits;
}

Bytes object_size(const RemoteLogSegment& segment, ObjectKind object, const ClientOptions& client) {
  switch (object) {
    case ObjectKind::log:
      return segment.size;
    case ObjectKind::indexes:
      return client.indexes_bytes;
    case ObjectKind::producer_snapshot:
      return client.producer_snapshot_bytes;
    case ObjectKind::leader_epoch_checkpoint:
      return client.leader_epoch_checkpoint_bytes;
  }
  CHECK(false, "no such object");
}

std::optional<Bytes> stored_param(const FaultRow& row, std::string_view name, const RemoteLogSegment& segment,
                                  const ClientOptions& client) {
  const auto word = row.param(name);
  if (word == "all") return std::nullopt;
  if (word == "none") return Bytes{0};
  Bytes before{0};
  for (int i = 0; i < object_kind_count; ++i) {
    const auto object = static_cast<ObjectKind>(i);
    if (word == to_string(object)) return before;
    before += object_size(segment, object, client);
  }
  const auto size = parse_bytes(word);
  CHECK(size.has_value(), "{} of {}", name, row.kind);
  return *size;
}

std::uint64_t call_draw(Seed seed, std::uint32_t fault, const StorageCall& call) {
  return keyed_draw(seed, "fault-call", fault, call.segment->partition.value(),
                    static_cast<std::uint64_t>(call.segment->start_offset.value()),
                    static_cast<std::uint64_t>(call.operation), call.copy_attempt, call.call);
}

std::uint64_t request_draw(Seed seed, std::uint32_t fault, const StoreRequest& request) {
  // A listing is of no copy.
  if (request.segment == nullptr) return keyed_draw(seed, "fault-listing", fault, request.call, request.attempt);
  return keyed_draw(seed, "fault-request", fault, request.segment->partition.value(),
                    static_cast<std::uint64_t>(request.segment->start_offset.value()),
                    static_cast<std::uint64_t>(request.operation), static_cast<std::uint64_t>(request.object),
                    request.copy_attempt, request.call, request.attempt);
}

std::uint64_t message_draw(Seed seed, std::uint32_t fault, const Message& message) {
  return keyed_draw(seed, "fault-message", fault, static_cast<std::uint64_t>(message.link.from.number),
                    static_cast<std::uint64_t>(message.link.to.number), message.key);
}

std::uint64_t publish_draw(Seed seed, std::uint32_t fault, const PublishRequest& request) {
  return keyed_draw(seed, "fault-publish", fault, request.segment->partition.value(),
                    static_cast<std::uint64_t>(request.segment->start_offset.value()),
                    static_cast<std::uint64_t>(request.state), request.copy_attempt, request.publish);
}

bool goes_over(const Message& message, const std::vector<Link>& links) {
  return std::any_of(links.begin(), links.end(), [&message](const Link& link) {
    return link.from == message.link.from && link.to == message.link.to;
  });
}

void shift_clocks(const Target& target, Breakable& world, Duration by) {
  for (const BrokerId broker : brokers_of(target, world)) world.shift_clock(broker, by);
}

}  // namespace sim
