#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace model {

/// A number that converts to nothing and mixes with nothing but its own kind.
template <class Tag, class Rep>
class Strong {
 public:
  constexpr Strong() = default;
  constexpr explicit Strong(Rep value) : value_(value) {}
  constexpr Rep value() const { return value_; }
  friend constexpr auto operator<=>(Strong, Strong) = default;

 private:
  Rep value_{};
};

/// A record's position in a partition's log. Ends of ranges are inclusive, as Kafka's `endOffset`, unless a name says
/// otherwise.
using Offset = Strong<struct OffsetTag, std::int64_t>;
using LeaderEpoch = Strong<struct LeaderEpochTag, std::int32_t>;
/// Brokers are numbered from 1.
using BrokerId = Strong<struct BrokerIdTag, std::int32_t>;
/// A user partition of the world, numbered from 0 over all topics in the order in which the scenario declares them.
using PartitionNumber = Strong<struct PartitionNumberTag, std::uint32_t>;
/// A partition of the metadata topic, numbered from 0.
using MetadataPartition = Strong<struct MetadataPartitionTag, std::uint32_t>;
/// An amount of bytes; differences may be negative.
using Bytes = Strong<struct BytesTag, std::int64_t>;

constexpr Offset next(Offset offset) { return Offset{offset.value() + 1}; }
constexpr Offset previous(Offset offset) { return Offset{offset.value() - 1}; }
/// The number of records in [from, to).
constexpr std::int64_t operator-(Offset to, Offset from) { return to.value() - from.value(); }
constexpr Offset operator+(Offset offset, std::int64_t count) { return Offset{offset.value() + count}; }

constexpr Bytes operator+(Bytes a, Bytes b) { return Bytes{a.value() + b.value()}; }
constexpr Bytes operator-(Bytes a, Bytes b) { return Bytes{a.value() - b.value()}; }
constexpr Bytes operator-(Bytes a) { return Bytes{-a.value()}; }
constexpr Bytes operator*(std::int64_t count, Bytes bytes) { return Bytes{count * bytes.value()}; }
constexpr Bytes& operator+=(Bytes& a, Bytes b) { return a = a + b; }
constexpr Bytes& operator-=(Bytes& a, Bytes b) { return a = a - b; }

inline namespace literals {
constexpr Offset operator""_offset(unsigned long long value) { return Offset{static_cast<std::int64_t>(value)}; }
constexpr Bytes operator""_B(unsigned long long value) { return Bytes{static_cast<std::int64_t>(value)}; }
constexpr Bytes operator""_KiB(unsigned long long value) { return Bytes{static_cast<std::int64_t>(value) << 10}; }
constexpr Bytes operator""_MiB(unsigned long long value) { return Bytes{static_cast<std::int64_t>(value) << 20}; }
constexpr Bytes operator""_GiB(unsigned long long value) { return Bytes{static_cast<std::int64_t>(value) << 30}; }
}  // namespace literals

/// 128 bits in two halves, as java.util.UUID keeps them.
struct Uuid {
  std::uint64_t most = 0;
  std::uint64_t least = 0;
  friend constexpr auto operator<=>(const Uuid&, const Uuid&) = default;
};

/// The 22 characters that org.apache.kafka.common.Uuid.toString prints: unpadded base64url of the 16 bytes, big endian.
std::array<char, 22> to_base64(Uuid uuid);
/// What those 22 characters stand for; nothing for any other text.
std::optional<Uuid> uuid_from_base64(std::string_view text);

}  // namespace model

template <class Tag, class Rep>
struct fmt::formatter<model::Strong<Tag, Rep>> : fmt::formatter<Rep> {
  template <class Context>
  auto format(model::Strong<Tag, Rep> value, Context& context) const {
    return fmt::formatter<Rep>::format(value.value(), context);
  }
};

template <>
struct fmt::formatter<model::Uuid> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(model::Uuid uuid, Context& context) const {
    const auto text = model::to_base64(uuid);
    return fmt::formatter<std::string_view>::format(std::string_view{text.data(), text.size()}, context);
  }
};
