// scrubber.csv: what the scrubber of [remedies] found, each time that what it says of an object changes.
#include "reports/run_files/makers.h"

namespace reports {
namespace {

class ScrubberFile final : public RunFile {
 public:
  explicit ScrubberFile(CsvFile file) : RunFile(std::move(file)) {}

  void record(const sim::TraceRecord& record) override {
    const auto* acted = std::get_if<sim::RemedyActed>(&record.event);
    if (acted == nullptr || acted->remedy != sim::Remedy::scrubber) return;
    out_.time(record.time)
        .raw(to_string(acted->object))
        .uuid(acted->segment->id)
        .raw(to_string(acted->finding))
        .raw(to_string(acted->action))
        .raw(acted->false_alarm ? "yes" : "no")
        .end_row();
  }
};

}  // namespace

std::unique_ptr<RunFile> make_scrubber(CsvFile file, const RunContext&) {
  return std::make_unique<ScrubberFile>(std::move(file));
}

}  // namespace reports
