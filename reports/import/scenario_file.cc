#include "reports/import/scenario_file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "model/policy.h"
#include "reports/import/instant.h"
#include "reports/import/partition_judge.h"

namespace reports {
namespace {

using enum RemoteLogSegmentState;

/// As sim/scenario/initial_file.h has them.
constexpr std::string_view initial_columns =
    "time_ms,broker,topic,partition,leader_epoch,segment_id,start_offset,end_offset,size_bytes,from_state,to_state,"
    "cause,event,stored_bytes,max_timestamp_ms,segment_epochs,local";

constexpr std::int64_t day_ms = 86'400'000;

/// What the copies of a topic's partitions say of it.
struct TopicShape {
  std::int32_t partitions = 0;
  std::uint64_t copies = 0;
  std::int64_t segment_bytes = 0;
  /// Finished copies of one partition: their bytes, and between which greatest timestamps.
  struct Flow {
    std::int64_t bytes = 0;
    std::int64_t first_ms = INT64_MAX;
    std::int64_t last_ms = 0;
  };
  std::map<std::int32_t, Flow> flows;

  /// Bytes a second of one partition, 0 when nobody can say.
  std::int64_t rate() const {
    std::int64_t bytes = 0;
    std::int64_t span_ms = 0;
    for (const auto& [index, flow] : flows) {
      if (flow.first_ms >= flow.last_ms) continue;
      bytes += flow.bytes;
      span_ms += flow.last_ms - flow.first_ms;
    }
    return span_ms == 0 ? 0 : static_cast<std::int64_t>(static_cast<__int128>(bytes) * 1000 / span_ms);
  }
};

class ScenarioWriter {
 public:
  ScenarioWriter(const std::string& folder, const std::string& name, DumpFold& fold, const FindingRules& rules)
      : folder_(folder),
        name_(name),
        fold_(fold),
        rules_(rules),
        deleted_(judge_topics(fold)),
        out_(File::create(folder + "/initial.csv"), initial_columns) {}

  Result<ImportedScenario, Problem> write() {
    for (const auto broker : fold_.brokers()) brokers_.emplace(broker, static_cast<std::int32_t>(brokers_.size()) + 1);
    choose_topics();
    fold_.segments().for_each([&](const ImportedSegment& segment) { write_segment(segment); });
    if (auto closed = out_.close(); !closed) return Failed{closed.error()};
    if (!told_.has_scenario()) {
      std::error_code ignored;
      std::filesystem::remove(folder_ + "/initial.csv", ignored);
    }
    constexpr std::string_view no_faults = "start,duration,kind,target,params,name,every\n";
    if (auto written = write_file(folder_ + "/faults.plan.csv", no_faults); !written) return Failed{written.error()};
    if (!told_.has_scenario()) return told_;
    if (auto written = write_file(folder_ + "/scenario.ini", text()); !written) return Failed{written.error()};
    return told_;
  }

 private:
  /// Whether the name belongs to the id `a` and not `b`: of ids that live beside each other, to the one that most
  /// records have.
  bool is_rather(std::uint32_t a, std::uint32_t b) const {
    const auto& one = fold_.topics()[a];
    const auto& other = fold_.topics()[b];
    const bool lives = deleted_[a].empty();
    if (lives != deleted_[b].empty()) return lives;
    return lives ? one.records > other.records : one.first_ms >= other.first_ms;
  }

  /// A name that was made again belongs to the newest of its ids.
  void choose_topics() {
    for (std::uint32_t i = 0; i < fold_.topics().size(); ++i) {
      const auto [found, is_first] = newest_.emplace(fold_.topics()[i].name, i);
      if (!is_first && is_rather(i, found->second)) found->second = i;
    }
    for (const auto& partition : fold_.partitions()) {
      const auto& name = fold_.topics()[partition.topic].name;
      if (newest_.at(name) != partition.topic || !deleted_[partition.topic].empty()) continue;
      auto& shape = shapes_[name];
      shape.partitions = std::max(shape.partitions, partition.index + 1);
    }
  }

  void write_segment(const ImportedSegment& segment) {
    const auto& partition = fold_.partitions()[segment.partition];
    const auto& topic = fold_.topics()[partition.topic];
    if (segment.start_offset < 0 || !is_known(segment.state) || newest_.at(topic.name) != partition.topic) {
      ++told_.left_out;
      return;
    }
    if (!deleted_[partition.topic].empty()) {
      ++told_.of_deleted_topics;
      return;
    }
    ++told_.copies;
    auto& shape = shapes_.at(topic.name);
    ++shape.copies;
    measure(segment, partition, shape);
    const auto broker = brokers_.find(segment.broker);
    out_.integer(std::min<std::int64_t>(segment.since_ms - rules_.now_ms, 0));
    out_.integer(broker == brokers_.end() ? 0 : broker->second);
    out_.raw(partition.fields).empty().uuid(segment.id);
    out_.integer(segment.start_offset).integer(segment.end_offset).integer(segment.size_bytes);
    const bool deletes_finished = segment.was_finished && segment.state == number_of(delete_segment_started);
    out_.raw(deletes_finished ? to_string(copy_segment_finished) : std::string_view{});
    out_.raw(fold_.states().name(segment.state)).empty().empty();
    if (!rules_.listing_ms || is_whole(segment)) {
      out_.empty();
    } else {
      out_.integer(segment.listed_bytes);
    }
    out_.integer(segment.max_timestamp_ms - rules_.now_ms);
    auto epochs = fold_.segments().epochs(segment);
    epochs.erase(std::remove(epochs.begin(), epochs.end(), ','), epochs.end());
    out_.text(epochs).empty().end_row();
  }

  /// What counts is that its log is there: what a plug-in makes of a copy (compressed, encrypted, with other indexes)
  /// has other sizes than the model's objects, and misses no byte for that.
  static bool is_whole(const ImportedSegment& segment) {
    return segment.state == number_of(copy_segment_finished) && segment.listed_log_bytes > 0;
  }

  void measure(const ImportedSegment& segment, const ImportedPartition& partition, TopicShape& shape) {
    shape.segment_bytes = std::max<std::int64_t>(shape.segment_bytes, segment.size_bytes);
    if (segment.state != number_of(copy_segment_finished) || segment.max_timestamp_ms < 0) return;
    auto& flow = shape.flows[partition.index];
    // The first copy's bytes came before its greatest timestamp.
    if (flow.first_ms != INT64_MAX) flow.bytes += segment.size_bytes;
    flow.first_ms = std::min(flow.first_ms, segment.max_timestamp_ms);
    flow.last_ms = std::max(flow.last_ms, segment.max_timestamp_ms);
  }

  std::string text() const {
    auto text = fmt::format(
        "# Written by `flotsam import`: the cluster as its metadata topic left it. What no dump tells is flotsam's\n"
        "# default: replicas, latencies, what the storage plug-in does, and configuration that was not given.\n"
        "# Without a listing each copy is taken to have all the bytes that the metadata claims; what failed half-way "
        "may\n"
        "# hold less, or nothing.\n");
    if (told_.left_out > 0)
      text += fmt::format(
          "# Not in it: {} copies without offsets and size, in an unknown state, or of a topic that was made again.\n",
          told_.left_out);
    if (told_.of_deleted_topics > 0)
      text += fmt::format(
          "# Not in it: {} copies of topics that count as deleted (findings.csv says why). No broker of any policy\n"
          "# cleans them, and a topic that lives here would.\n",
          told_.of_deleted_topics);
    text += fmt::format("[scenario]\ntitle = {} from its metadata topic\nsource = flotsam import\nstart = {}\n", name_,
                        instant_text(rules_.now_ms));
    text += fmt::format("duration = {}d\nfaults = faults.plan.csv\n\n[cluster]\nbrokers = {}\n", duration_days(),
                        std::max<std::size_t>(1, brokers_.size()));
    text += brokers_text();
    for (const auto& [name, shape] : shapes_) text += topic_text(name, shape);
    for (const model::PolicyEntry& policy : model::policies())
      text += fmt::format("\n[expect.{}]\nmay-break = garbage-zero entries-settle copy-lag-zero\n", policy.name);
    return text;
  }

  std::string brokers_text() const {
    std::string renamed;
    for (const auto& [id, number] : brokers_)
      if (id != number) renamed += fmt::format(" {}={}", id, number);
    return renamed.empty() ? "" : fmt::format("# Brokers are numbered from 1 here, of the dump's:{}\n", renamed);
  }

  /// Until the longest retention is over and a day more, where it is known; a day at least, nine at most.
  std::int64_t duration_days() const {
    std::int64_t longest_ms = 0;
    for (const auto& [name, shape] : shapes_)
      longest_ms = std::max(longest_ms, rules_.config.of(name).milliseconds.value_or(0));
    return std::clamp<std::int64_t>(longest_ms / day_ms + 1, 1, 9);
  }

  std::string topic_text(std::string_view name, const TopicShape& shape) const {
    auto text = fmt::format("\n[topic.{}]\npartitions = {}\n", name, shape.partitions);
    if (shape.copies > 0) text += "initial = initial.csv\n";
    const auto& retention = rules_.config.of(name);
    if (retention.milliseconds) {
      text += fmt::format("retention.ms = {}\n", *retention.milliseconds);
    } else {
      text += "# retention.ms is not known: Kafka's default of 7 days holds here.\n";
    }
    if (retention.bytes) text += fmt::format("retention.bytes = {}\n", *retention.bytes);
    // The greatest copy is the best guess at segment.bytes.
    if (shape.segment_bytes >= 1024)
      text += fmt::format("# The greatest copy in the dump.\nsegment.bytes = {}\n", shape.segment_bytes);
    if (const auto rate = shape.rate(); rate > 0)
      text += fmt::format("# As its finished copies grew, by their greatest timestamps.\nproduce = {}B/s\n", rate);
    return text;
  }

  const std::string& folder_;
  const std::string& name_;
  DumpFold& fold_;
  const FindingRules& rules_;
  /// By topic: why it counts as deleted.
  std::vector<std::string_view> deleted_;
  CsvFile out_;
  ImportedScenario told_;
  std::map<std::int32_t, std::int32_t> brokers_;
  std::map<std::string_view, std::uint32_t> newest_;
  std::map<std::string, TopicShape, std::less<>> shapes_;
};

}  // namespace

Result<ImportedScenario, Problem> write_scenario_files(const std::string& folder, const std::string& name,
                                                       DumpFold& fold, const FindingRules& rules) {
  return ScenarioWriter{folder, name, fold, rules}.write();
}

}  // namespace reports
