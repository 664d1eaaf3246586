// events.csv: what brokers and store did, each row at its end. The trace's finer records (steps, bytes) have no row.
#include <fmt/format.h>

#include "reports/run_files/makers.h"

namespace reports {
namespace {

std::string_view call_kind(sim::StoreOperation operation) {
  return operation == sim::StoreOperation::put ? "copy-call" : "delete-call";
}

class Events final : public RunFile {
 public:
  Events(CsvFile file, const RunContext& context) : RunFile(std::move(file)), context_(context) {}

  void record(const sim::TraceRecord& record) override {
    std::visit([&](const auto& event) { write(record, event); }, record.event);
  }

 private:
  /// What has no row here.
  template <class Event>
  void write(const sim::TraceRecord&, const Event&) {}

  void write(const sim::TraceRecord& record, const sim::StorageCallEnded& call) {
    begin(record, call.started, call.broker).raw(to_string(call.task));
    segment(*call.segment, call_kind(call.operation)).empty().empty();
    finish(to_string(call.result), call.fault);
  }

  void write(const sim::TraceRecord& record, const sim::StoreRequestEnded& request) {
    begin(record, request.started, request.broker).raw(to_string(request.task));
    // A listing is about no copy.
    const auto kind = to_string(request.operation);
    if (request.segment == nullptr) {
      no_segment(kind).empty();
    } else {
      segment(*request.segment, kind).raw(to_string(request.object));
    }
    out_.bytes(request.bytes);
    finish(to_string(request.result), request.fault);
  }

  void write(const sim::TraceRecord& record, const sim::PublishEnded& publish) {
    begin(record, publish.started, publish.broker).raw(to_string(publish.task));
    segment(*publish.segment, "publish").empty().empty();
    finish(to_string(publish.result), publish.fault, to_string(publish.state));
  }

  void write(const sim::TraceRecord& record, const sim::RunEnded& run) {
    begin(record, run.started, run.broker).raw(to_string(run.task));
    out_.raw(context_.partition_fields(run.partition)).empty().raw("run").empty().empty();
    finish(to_string(run.end), {});
  }

  void write(const sim::TraceRecord& record, const sim::LeaderChanged& change) {
    begin(record, record.time, change.leader).empty();
    out_.raw(context_.partition_fields(change.partition)).empty().raw("leader").empty().empty();
    finish({}, {}, fmt::format("epoch {}", change.epoch));
  }

  void write(const sim::TraceRecord& record, const sim::PartitionDeleted& deletion) {
    begin(record, record.time, deletion.leader).empty();
    out_.raw(context_.partition_fields(deletion.partition)).empty().raw("topic-deleted").empty().empty();
    finish({}, {});
  }

  void write(const sim::TraceRecord& record, const sim::RecordsDeleted& deletion) {
    begin(record, record.time, deletion.leader).empty();
    out_.raw(context_.partition_fields(deletion.partition)).empty().raw("records-deleted").empty().empty();
    finish({}, {}, fmt::format("below {}", deletion.offset));
  }

  void write(const sim::TraceRecord& record, const sim::RecordsForgotten& loss) {
    begin(record, record.time, BrokerId{0}).empty();
    out_.raw(context_.partition_fields(loss.partition)).empty().raw("records-forgotten").empty().empty();
    finish({}, loss.fault, fmt::format("{} of metadata partition {}", loss.count, loss.metadata_partition));
  }

  void write(const sim::TraceRecord& record, const sim::BrokerCrashed& crash) {
    begin(record, record.time, crash.broker).empty();
    no_segment("crash").empty().empty();
    finish({}, {});
  }

  void write(const sim::TraceRecord& record, const sim::BrokerStarted& start) {
    begin(record, record.time, start.broker).empty();
    no_segment("start").empty().empty();
    finish({}, {});
  }

  void write(const sim::TraceRecord& record, const sim::ConsumerEnded& end) {
    begin(record, record.time, end.broker).empty();
    no_segment("consumer-ended").empty().empty();
    finish({}, {}, fmt::format("metadata partition {} offset {}", end.metadata_partition, end.offset));
  }

  void write(const sim::TraceRecord& record, const sim::InitializationFailed& failure) {
    begin(record, record.time, failure.broker).empty();
    no_segment("initialization-failed").empty().empty();
    finish({}, {});
  }

  void write(const sim::TraceRecord& record, const sim::RemedyActed& acted) {
    begin(record, record.time, BrokerId{0}).empty();
    segment(*acted.segment, to_string(acted.remedy)).raw(to_string(acted.object)).empty();
    finish(to_string(acted.action), {}, to_string(acted.finding));
  }

  // time_ms, event, end_ms, broker; the task follows.
  CsvFile& begin(const sim::TraceRecord& record, SimTime started, BrokerId broker) {
    out_.time(started).integer(record.number).time(record.time);
    return broker.value() == 0 ? out_.empty() : out_.integer(broker.value());
  }

  // topic, partition, segment_id, kind; object and bytes follow.
  CsvFile& segment(const RemoteLogSegment& copy, std::string_view kind) {
    return out_.raw(context_.partition_fields(copy.partition)).uuid(copy.id).raw(kind);
  }
  CsvFile& no_segment(std::string_view kind) { return out_.empty().empty().empty().raw(kind); }

  void finish(std::string_view result, sim::FaultIndex fault, std::string_view detail = {}) {
    out_.raw(result).raw(context_.fault_field(fault)).raw(detail).end_row();
  }

  const RunContext& context_;
};

}  // namespace

std::unique_ptr<RunFile> make_events(CsvFile file, const RunContext& context) {
  return std::make_unique<Events>(std::move(file), context);
}

}  // namespace reports
