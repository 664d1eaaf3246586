#include <array>

#include "sim/faults/call_failure.h"
#include "sim/faults/faults.h"

namespace sim {

namespace {

/// The plug-in returns custom metadata with its uploads, more than Kafka takes unless the size says otherwise (F23).
class OversizedCustomMetadata final : public Fault {
 public:
  explicit OversizedCustomMetadata(const FaultMaking& making)
      : row_(making.row),
        size_(integer_param(making.row, "size")),
        probability_(ratio_param(making.row, "probability")),
        seed_(making.seed),
        index_(making.index) {}

  std::optional<std::int32_t> custom_metadata_size(const StorageCall& call) const override {
    if (!is_aimed_at(row_.target, call.broker)) return std::nullopt;
    if (!chance(call_draw(seed_, index_, call), probability_)) return std::nullopt;
    return size_;
  }

 private:
  const FaultRow& row_;
  std::int32_t size_;
  Ratio probability_;
  Seed seed_;
  std::uint32_t index_;
};

constexpr std::array params{
    ParamInfo{"size", ParamType::integer, "129", "",
              "Bytes of it; remote.log.metadata.custom.metadata.max.bytes says what is too much."},
    ParamInfo{"probability", ParamType::ratio, "1", "", "Of each upload, each anew."}};

}  // namespace

const FaultKind oversized_custom_metadata_fault{
    {"oversized-custom-metadata", "The plug-in returns too much custom metadata with its uploads.", false, true,
     call_targets, params},
    [](const FaultMaking& making) -> std::unique_ptr<Fault> {
      return std::make_unique<OversizedCustomMetadata>(making);
    }};

}  // namespace sim
