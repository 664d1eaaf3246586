// The files whose rows are known when the world has ended: faults.csv, violations.csv, leftovers.csv, goals.csv,
// summary.csv.
#include "reports/run_files/makers.h"
#include "reports/summary_row.h"

namespace reports {
namespace {

/// A file written by one function at the end.
class AtEnd final : public RunFile {
 public:
  using Write = void (*)(CsvFile& out, const RunContext& context, const sim::RunResult& result);
  AtEnd(CsvFile file, const RunContext& context, Write write)
      : RunFile(std::move(file)), context_(context), write_(write) {}
  void end(const sim::RunResult& result) override { write_(out_, context_, result); }

 private:
  const RunContext& context_;
  Write write_;
};

void write_faults(CsvFile& out, const RunContext& context, const sim::RunResult& result) {
  for (const auto& window : result.faults) {
    const auto& row = context.scenario().faults[window.row];
    out.time(window.start)
        .time(window.end)
        .text(row.kind)
        .text(row.target_text)
        .text(row.params_text)
        .integer(window.hits)
        .text(row.name)
        .raw(context.fault_field(window.row))
        .end_row();
  }
}

void write_violations(CsvFile& out, const RunContext&, const sim::RunResult& result) {
  for (std::size_t i = 0; i < result.violations.size(); ++i) {
    const auto& violation = result.violations[i];
    const bool is_expected = i < result.expected.size() && result.expected[i];
    out.time(violation.time)
        .text(violation.invariant)
        .text(violation.subject)
        .text(violation.detail)
        .raw(is_expected ? "yes" : "no")
        .integer(violation.event)
        .end_row();
  }
}

void write_leftovers(CsvFile& out, const RunContext& context, const sim::RunResult& result) {
  for (const auto& leftover : result.leftovers) {
    out.uuid(leftover.segment->id)
        .raw(context.partition_fields(leftover.segment->partition))
        .bytes(leftover.bytes)
        .time(leftover.became_garbage)
        .time(leftover.reclaimed)
        .raw(leftover.state ? to_string(*leftover.state) : std::string_view{})
        .raw(context.fault_field(leftover.fault))
        .raw(to_string(leftover.step))
        .raw(leftover.reclaimed ? to_string(leftover.reclaimed_by) : std::string_view{})
        .raw(leftover.reclaimed ? std::string_view{} : to_string(leftover.due_by))
        .time(leftover.reclaimed ? std::nullopt : leftover.due)
        .time(leftover.seen)
        .end_row();
  }
}

void write_goals(CsvFile& out, const RunContext&, const sim::RunResult& result) {
  const auto goals = sim::goals();
  for (std::size_t i = 0; i < result.goals.size(); ++i) {
    const sim::GoalReached& reached = result.goals[i];
    out.raw(to_string(goals[i].kind)).text(goals[i].name).integer(reached.times);
    if (reached.times == 0) {
      out.empty().empty().end_row();
    } else {
      out.time(reached.first).integer(reached.event).end_row();
    }
  }
}

void write_summary(CsvFile& out, const RunContext&, const sim::RunResult& result) {
  write_summary_fields(out, result.summary);
  out.end_row();
}

template <AtEnd::Write write>
std::unique_ptr<RunFile> make(CsvFile file, const RunContext& context) {
  return std::make_unique<AtEnd>(std::move(file), context, write);
}

}  // namespace

std::unique_ptr<RunFile> make_faults(CsvFile file, const RunContext& context) {
  return make<write_faults>(std::move(file), context);
}
std::unique_ptr<RunFile> make_violations(CsvFile file, const RunContext& context) {
  return make<write_violations>(std::move(file), context);
}
std::unique_ptr<RunFile> make_leftovers(CsvFile file, const RunContext& context) {
  return make<write_leftovers>(std::move(file), context);
}
std::unique_ptr<RunFile> make_goals(CsvFile file, const RunContext& context) {
  return make<write_goals>(std::move(file), context);
}
std::unique_ptr<RunFile> make_summary(CsvFile file, const RunContext& context) {
  return make<write_summary>(std::move(file), context);
}

}  // namespace reports
