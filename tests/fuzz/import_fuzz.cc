// Any bytes as a dump, packed ones too: counts that add up, no crash; read twice, all that has an offset is a
// repetition.
#include <cstddef>
#include <cstdint>
#include <string>

#include "model/check.h"
#include "reports/import/dump_reader.h"

namespace {

class Nowhere final : public reports::TransitionSink {
 public:
  void applied(const reports::ImportedTransition& transition) override {
    CHECK(!transition.from || *transition.from == transition.to || transition.segment != nullptr);
  }
  void dropped(const reports::ImportedTransition&) override {}
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text{reinterpret_cast<const char*>(data), size};
  Nowhere nowhere;
  reports::DumpFold fold{nowhere, {}};
  reports::DumpReader reader{fold};
  reader.read("__remote_log_metadata-0/fuzz", reports::blocks_of(text));
  const auto& counts = reader.counts();
  CHECK(counts.taken + counts.repeated + counts.ignored + counts.unreadable + counts.undecodable + counts.joined ==
        counts.lines);
  CHECK(fold.segments().size() <= counts.taken);

  const auto taken = counts.taken;
  const auto without_offset = counts.without_offset;
  reader.read("__remote_log_metadata-0/fuzz", reports::blocks_of(text));
  CHECK(counts.taken - taken <= without_offset);
  return 0;
}
