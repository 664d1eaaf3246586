#include "sim/faults/faults.h"

#include <algorithm>
#include <array>

namespace sim {

namespace {

constexpr std::array list{&store_unavailable_fault,
                          &store_reject_fault,
                          &copy_fail_fault,
                          &delete_fail_fault,
                          &store_slow_fault,
                          &partition_fault,
                          &crash_fault,
                          &topic_delete_fault,
                          &oversized_custom_metadata_fault};

}  // namespace

std::span<const FaultKind* const> faults() { return list; }

std::span<const FaultKindInfo> fault_kinds() {
  static const auto infos = [] {
    std::array<FaultKindInfo, list.size()> all;
    std::transform(list.begin(), list.end(), all.begin(), [](const FaultKind* kind) { return kind->info; });
    return all;
  }();
  return infos;
}

const FaultKind* find_fault(std::string_view name) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const FaultKind* kind) { return kind->info.name == name; });
  return found == list.end() ? nullptr : *found;
}

}  // namespace sim
