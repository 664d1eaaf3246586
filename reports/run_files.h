#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/csv.h"
#include "sim/run_result.h"

namespace reports {

/// How much of a run stays on disk; each level holds the next.
enum class Keep : std::uint8_t { all, curves, summary };
std::string_view to_string(Keep keep);
std::optional<Keep> keep_from(std::string_view text);

/// Which MBeans metrics.csv shows: the two that the KIP proposes, or Kafka's as well.
enum class MetricChoice : std::uint8_t { kip, all };
std::optional<MetricChoice> metric_choice_from(std::string_view text);

/// What the files of one run look up: the world, and names as they stand in a field, quoted where that is needed.
class RunContext {
 public:
  RunContext(const sim::WorldView& world, MetricChoice metrics);

  const sim::WorldView& world() const { return world_; }
  MetricChoice metrics() const { return metrics_; }
  const sim::Scenario& scenario() const { return scenario_; }
  /// `topic,index` of a partition.
  std::string_view partition_fields(PartitionNumber partition) const { return partition_fields_[partition.value()]; }
  std::uint32_t topic_of(PartitionNumber partition) const { return topic_of_[partition.value()]; }
  std::size_t topic_count() const { return topics_.size(); }
  std::string_view topic_field(std::size_t topic) const { return topics_[topic]; }
  /// Nothing: an empty field.
  std::string_view fault_field(sim::FaultIndex fault) const {
    return fault ? std::string_view{faults_[*fault]} : std::string_view{};
  }

 private:
  const sim::WorldView& world_;
  MetricChoice metrics_;
  const sim::Scenario& scenario_;
  std::vector<std::string> topics_;
  std::vector<std::uint32_t> topic_of_;
  std::vector<std::string> partition_fields_;
  std::vector<std::string> faults_;
};

/// The name that files and people know each row of the plan by: its name, else its kind, numbered (`store-slow#3`, the
/// row's place in the plan) where several rows without a name share the kind.
std::vector<std::string> fault_labels(const std::vector<sim::FaultRow>& rows);

/// Something that is written into a run's folder while the run goes on.
class RunOutput {
 public:
  virtual ~RunOutput() = default;
  virtual void record(const sim::TraceRecord&) {}
  virtual void curve(const sim::CurvePoint&) {}
  virtual void end(const sim::RunResult&) {}
  virtual Result<void, Problem> close() = 0;
};

/// One csv of a run's folder.
class RunFile : public RunOutput {
 public:
  explicit RunFile(CsvFile file) : out_(std::move(file)) {}
  Result<void, Problem> close() override { return out_.close(); }

 protected:
  CsvFile out_;
};

struct RunFileEntry {
  std::string_view name;
  /// The header row.
  std::string_view columns;
  /// Written when the run keeps at least this much.
  Keep least;
  bool wants_records;
  std::unique_ptr<RunFile> (*make)(CsvFile file, const RunContext& context);
  /// Whether a run of this scenario has the file; null: every run.
  bool (*is_wanted)(const sim::Scenario& scenario) = nullptr;
};
/// All files of a run's folder that are rows of their own; one a file, the list in run_files.cc.
std::span<const RunFileEntry> run_files();

}  // namespace reports
