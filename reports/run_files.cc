#include "reports/run_files.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "reports/run_files/makers.h"
#include "reports/summary_row.h"

namespace reports {

std::string_view to_string(Keep keep) {
  switch (keep) {
    case Keep::all:
      return "all";
    case Keep::curves:
      return "curves";
    case Keep::summary:
      return "summary";
  }
  return "";
}

std::optional<Keep> keep_from(std::string_view text) {
  for (const auto keep : {Keep::all, Keep::curves, Keep::summary})
    if (to_string(keep) == text) return keep;
  return std::nullopt;
}

std::vector<std::string> fault_labels(const std::vector<sim::FaultRow>& rows) {
  std::vector<std::string> labels;
  for (const auto& row : rows) {
    if (!row.name.empty()) {
      labels.push_back(row.name);
      continue;
    }
    const auto is_alike = [&](const sim::FaultRow& other) { return other.name.empty() && other.kind == row.kind; };
    const bool is_alone = std::count_if(rows.begin(), rows.end(), is_alike) == 1;
    labels.push_back(is_alone ? row.kind : fmt::format("{}#{}", row.kind, labels.size() + 1));
  }
  return labels;
}

std::optional<MetricChoice> metric_choice_from(std::string_view text) {
  if (text == "kip") return MetricChoice::kip;
  if (text == "all") return MetricChoice::all;
  return std::nullopt;
}

RunContext::RunContext(const sim::WorldView& world, MetricChoice metrics)
    : world_(world), metrics_(metrics), scenario_(world.scenario()), faults_(fault_labels(scenario_.faults)) {
  for (const auto& topic : scenario_.topics) topics_.push_back(csv_field(topic.name));
  for (auto& fault : faults_) fault = csv_field(fault);
  for (std::uint32_t i = 0; i < world.partition_count(); ++i) {
    const PartitionNumber partition{i};
    topic_of_.push_back(world.topic_of(partition));
    partition_fields_.push_back(fmt::format("{},{}", topics_[topic_of_.back()], world.index_in_topic(partition)));
  }
}

namespace {

constexpr std::string_view transition_columns =
    "time_ms,broker,topic,partition,leader_epoch,segment_id,start_offset,end_offset,size_bytes,from_state,to_state,"
    "cause,event";

}  // namespace

std::span<const RunFileEntry> run_files() {
  static constexpr std::array<RunFileEntry, 11> entries{{
      {"transitions.csv", transition_columns, Keep::all, true, &make_transitions},
      {"dropped.csv", transition_columns, Keep::all, true, &make_dropped},
      {"events.csv",
       "time_ms,event,end_ms,broker,task,topic,partition,segment_id,kind,object,bytes,result,fault,detail", Keep::all,
       true, &make_events},
      {"metrics.csv", "time_ms,broker,mbean,attribute,value", Keep::curves, false, &make_metrics},
      {"curves.csv",
       "time_ms,topic,stored_bytes,live_bytes,in_flight_bytes,expired_bytes,unreferenced_bytes,dangling_bytes,deleting_"
       "bytes,"
       "stuck_bytes,orphan_bytes,upload_parts_bytes,waste_bytes,garbage_bytes,garbage_count,metric_dangling_count,"
       "metric_dangling_bytes,copy_lag_bytes,active_faults,deleting_failed_bytes,garbage_bytes_max,ghost_count,ghost_"
       "claimed_bytes",
       Keep::curves, false, &make_curves},
      {"faults.csv", "start_ms,end_ms,kind,target,params,hits,name,fault", Keep::summary, false, &make_faults},
      {"violations.csv", "time_ms,invariant,subject,detail,expected,event", Keep::summary, false, &make_violations},
      {"leftovers.csv",
       "segment_id,topic,partition,bytes,became_garbage_ms,reclaimed_ms,state,fault,step,reclaimed_by,due_by,due_ms,"
       "seen_ms",
       Keep::curves, false, &make_leftovers},
      {"scrubber.csv", "time_ms,object,segment_id,finding,action,false_alarm", Keep::curves, true, &make_scrubber,
       [](const sim::Scenario& scenario) { return scenario.remedies.scrubber_every > sim::Duration{0}; }},
      {"goals.csv", "kind,goal,times,first_ms,event", Keep::summary, false, &make_goals},
      {"summary.csv", summary_columns, Keep::summary, false, &make_summary},
  }};
  return entries;
}

}  // namespace reports
