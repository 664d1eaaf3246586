#pragma once

#include <array>
#include <vector>

#include "sim/faults/fault.h"

namespace sim {

// A row's parameters as values. The reader of the plan has checked them, so a value that does not parse is our own
// mistake.

Ratio ratio_param(const FaultRow& row, std::string_view name);
std::int32_t integer_param(const FaultRow& row, std::string_view name);
Duration duration_param(const FaultRow& row, std::string_view name);
Bytes bytes_param(const FaultRow& row, std::string_view name);
Bytes rate_param(const FaultRow& row, std::string_view name);
/// What every kind that moves a clock takes, and what it says: below 0 for a clock that is behind.
inline constexpr std::array clock_params{
    ParamInfo{"by", ParamType::duration, "", "", "How far."},
    ParamInfo{"direction", ParamType::word, "ahead", "ahead|behind", "Of the world's time."}};
Duration clock_param(const FaultRow& row);
DurationDistribution distribution_param(const FaultRow& row, std::string_view name);
/// `permanent`, `retriable`, `unchecked` (any other exception), `fatal` (an Error, which ends the task for good).
RemoteStorageError error_param(const FaultRow& row, std::string_view name);
/// `put+delete` as a set of bits, one a StoreOperation.
std::uint32_t operations_param(const FaultRow& row, std::string_view name);
constexpr std::uint32_t operation_bit(StoreOperation operation) { return 1u << static_cast<unsigned>(operation); }
/// `none`, `all` (nothing), a size, or an object's name: all that is written before that object.
std::optional<Bytes> stored_param(const FaultRow& row, std::string_view name, const RemoteLogSegment& segment,
                                  const ClientOptions& client);

/// Whether a target that is the store, brokers or everything means a call of this broker.
bool is_aimed_at(const Target& target, BrokerId caller);
/// The same of a target that may be topics and partitions too: what is done to this copy by this broker.
bool is_aimed_at(const Target& target, const Scenario& scenario, BrokerId caller, const RemoteLogSegment& segment);

/// The brokers that a target means; `*` is all.
std::vector<BrokerId> brokers_of(const Target& target, const Breakable& world);
/// The partitions that it means: those of topics, single ones, `*` for all.
std::vector<PartitionNumber> partitions_of(const Target& target, const Breakable& world);
/// The topics that it means, by name.
std::vector<std::string_view> topics_of(const Target& target, const Breakable& world);
/// The metadata partitions that it means, ascending: all of them for what is not about the metadata topic.
std::vector<MetadataPartition> metadata_partitions_of(const Target& target, const Breakable& world);

/// The directions that a link's target means, with the present leaders of metadata partitions as its ends.
std::vector<Link> links_of(const Target& target, const Breakable& world);
/// Whether the message goes in one of these directions.
bool goes_over(const Message& message, const std::vector<Link>& links);

/// Moves the clocks of all brokers that the target means.
void shift_clocks(const Target& target, Breakable& world, Duration by);

/// The size of one object of a copy.
Bytes object_size(const RemoteLogSegment& segment, ObjectKind object, const ClientOptions& client);

inline constexpr std::string_view error_words = "permanent|retriable|unchecked|fatal";

/// A fault's draw about one copy attempt: the same luck for every policy that makes the same attempt.
std::uint64_t call_draw(Seed seed, std::uint32_t fault, const StorageCall& call);
std::uint64_t request_draw(Seed seed, std::uint32_t fault, const StoreRequest& request);
std::uint64_t message_draw(Seed seed, std::uint32_t fault, const Message& message);
std::uint64_t publish_draw(Seed seed, std::uint32_t fault, const PublishRequest& request);

}  // namespace sim
