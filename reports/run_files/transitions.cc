// transitions.csv and dropped.csv: the records of the metadata topic, those that apply when it is folded and those that
// do not.
#include "reports/causes.h"
#include "reports/run_files/makers.h"

namespace reports {
namespace {

class Transitions final : public RunFile {
 public:
  Transitions(CsvFile file, const RunContext& context, bool applied)
      : RunFile(std::move(file)), context_(context), applied_(applied) {}

  void record(const sim::TraceRecord& record) override {
    const auto* transition = std::get_if<sim::Transition>(&record.event);
    if (transition == nullptr || transition->applied != applied_) return;
    const auto& segment = *transition->segment;
    out_.time(record.time)
        .integer(transition->broker.value())
        .raw(context_.partition_fields(segment.partition))
        .integer(transition->leader_epoch.value())
        .uuid(segment.id)
        .integer(segment.start_offset.value())
        .integer(segment.end_offset.value())
        .bytes(segment.size)
        .raw(transition->from ? to_string(*transition->from) : std::string_view{})
        .raw(to_string(transition->to))
        .raw(to_cause(transition->step))
        .integer(record.number)
        .end_row();
  }

 private:
  const RunContext& context_;
  bool applied_;
};

}  // namespace

std::unique_ptr<RunFile> make_transitions(CsvFile file, const RunContext& context) {
  return std::make_unique<Transitions>(std::move(file), context, true);
}

std::unique_ptr<RunFile> make_dropped(CsvFile file, const RunContext& context) {
  return std::make_unique<Transitions>(std::move(file), context, false);
}

}  // namespace reports
