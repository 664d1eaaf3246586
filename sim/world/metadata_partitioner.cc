// Mirrors: RemoteLogMetadataTopicPartitioner (facts 3.1). Leaves out: nothing.
#include "sim/world/metadata_topic.h"

namespace sim {
namespace {

/// Kafka's murmur2 of four bytes (org.apache.kafka.common.utils.Utils.murmur2).
std::int32_t murmur2(std::uint32_t big_endian) {
  constexpr std::uint32_t m = 0x5bd1e995;
  std::uint32_t h = 0x9747b28c ^ 4;
  std::uint32_t k = __builtin_bswap32(big_endian);  // The bytes are read little endian.
  k *= m;
  k ^= k >> 24;
  k *= m;
  h = (h * m) ^ k;
  h ^= h >> 13;
  h *= m;
  h ^= h >> 15;
  return static_cast<std::int32_t>(h);
}

std::uint32_t java_hash(std::uint64_t value) { return static_cast<std::uint32_t>(value ^ (value >> 32)); }

}  // namespace

MetadataPartition metadata_partition_for(Uuid topic_id, std::int32_t partition, std::int32_t metadata_partition_count) {
  std::uint32_t hash = 31 + java_hash(topic_id.least);
  hash = 31 * hash + java_hash(topic_id.most);
  hash = 31 * hash + static_cast<std::uint32_t>(partition);
  const auto positive = static_cast<std::uint32_t>(murmur2(hash)) & 0x7fffffffu;
  return MetadataPartition{positive % static_cast<std::uint32_t>(metadata_partition_count)};
}

}  // namespace sim
