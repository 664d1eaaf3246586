#include "reports/import/anonymiser.h"

#include <fmt/format.h>

namespace reports {
namespace {

/// A one-way mix of 64 bits (the finaliser of MurmurHash3, twice with a constant between). Ids are 128 random bits, so
/// nobody can try them out.
constexpr std::uint64_t mixed(std::uint64_t value) {
  for (int round = 0; round < 2; ++round) {
    value ^= value >> 33;
    value *= 0xff51afd7ed558ccd;
    value ^= value >> 33;
    value *= 0xc4ceb9fe1a85ec53;
    value ^= value >> 33;
    value += 0x9e3779b97f4a7c15;
  }
  return value;
}

}  // namespace

Uuid Anonymiser::change(Uuid id) const {
  // Each half of the result needs both of the original, so that neither can be turned back.
  const auto both = mixed(id.most) ^ id.least;
  Uuid other{.most = mixed(both) ^ mixed(id.least + 1), .least = mixed(both + 0x51ed270b) ^ mixed(id.most ^ both)};
  // As Kafka's own new ids, none begins with `-` (the top six bits 62).
  if (other.most >> 58 == 62) other.most ^= std::uint64_t{1} << 63;
  return other;
}

std::int64_t Anonymiser::change_size(std::int64_t bytes) const {
  if (bytes <= 0 || factor_ == 0) return bytes;
  const auto scaled = static_cast<std::int64_t>(static_cast<__int128>(bytes) * factor_ / 1024);
  return scaled > 0 ? scaled : 1;
}

std::int64_t Anonymiser::real_size(std::int64_t changed) const {
  if (factor_ == 0) return changed;
  return static_cast<std::int64_t>((static_cast<__int128>(changed) * 1024 + factor_ - 1) / factor_);
}

const std::string& Anonymiser::change_topic(std::string_view name) {
  if (last_topic_ == nullptr || last_name_ != name) {
    auto found = topics_.find(name);
    if (found == topics_.end())
      found = topics_.emplace(std::string{name}, fmt::format("topic-{}", topics_.size() + 1)).first;
    last_topic_ = &found->second;
    last_name_ = name;
  }
  return *last_topic_;
}

void Anonymiser::change(DumpRecord& record) {
  if (record.partition < 0) return;
  if (factor_ == 0)
    factor_ = 512 + static_cast<std::int64_t>(mixed(record.topic_id.least ^ record.topic_id.most) % 513);
  record.topic = change_topic(record.topic);
  record.topic_id = change(record.topic_id);
  if (record.id != Uuid{}) record.id = change(record.id);
  if (record.broker >= 0)
    record.broker = brokers_.try_emplace(record.broker, static_cast<std::int32_t>(brokers_.size()) + 1).first->second;
  if (record.size_bytes > 0) record.size_bytes = change_size(record.size_bytes);
}

}  // namespace reports
