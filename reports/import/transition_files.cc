#include "reports/import/transition_files.h"

#include <algorithm>

#include <fmt/format.h>

#include "reports/run_files.h"

namespace reports {
namespace {

std::string columns() {
  const auto files = run_files();
  const auto found =
      std::find_if(files.begin(), files.end(), [](const auto& file) { return file.name == "transitions.csv"; });
  return fmt::format("{},metadata_partition,offset", found->columns);
}

template <class Number>
void write_known(CsvFile& out, Number value) {
  if (value >= 0) {
    out.integer(value);
  } else {
    out.empty();
  }
}

}  // namespace

TransitionFiles::TransitionFiles(const std::string& folder)
    : transitions_(File::create(folder + "/transitions.csv"), columns()),
      dropped_(File::create(folder + "/dropped.csv"), columns()) {}

void TransitionFiles::applied(const ImportedTransition& transition) {
  write(transitions_, transition);
  curves_.move(transition.topic->name, transition.segment->size_bytes, transition.from, transition.from_since_ms,
               transition.to, transition.time_ms);
}

void TransitionFiles::dropped(const ImportedTransition& transition) { write(dropped_, transition); }

void TransitionFiles::write(CsvFile& out, const ImportedTransition& transition) {
  const auto& segment = *transition.segment;
  out.integer(transition.time_ms);
  write_known(out, transition.broker);
  out.raw(transition.partition->fields).empty().uuid(segment.id);
  write_known(out, segment.start_offset);
  write_known(out, segment.end_offset);
  write_known(out, segment.size_bytes);
  out.raw(transition.from ? states_->name(*transition.from) : std::string_view{}).raw(states_->name(transition.to));
  out.empty().empty();
  write_known(out, transition.metadata_partition.value_or(-1));
  write_known(out, transition.offset.value_or(-1));
  out.end_row();
}

Result<void, Problem> TransitionFiles::close() {
  auto transitions = transitions_.close();
  auto dropped = dropped_.close();
  return transitions ? dropped : transitions;
}

}  // namespace reports
