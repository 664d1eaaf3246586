#include "reports/run_folder.h"

#include "reports/stored_run.h"
#include "tests/reports/sample_run.h"

using namespace reports;
using namespace reports_test;

namespace {

/// What a run wrote into one file after the header row.
class Written {
 public:
  explicit Written(Keep keep = Keep::all, MetricChoice metrics = MetricChoice::kip, Duration scrubber = Duration{0})
      : writer_({.folder = scratch_.path("run"), .keep = keep, .metrics = metrics}) {
    world_.edit().remedies.scrubber_every = scrubber;
    writer_.begin(world_);
  }

  PaperWorld& world() { return world_; }
  RunFolderWriter& writer() { return writer_; }
  void record(SimTime time, const sim::TraceEvent& event) { writer_.record({time, ++number_, event}); }
  void end(const sim::RunResult& result) {
    writer_.end(result);
    const auto finished = writer_.finish();
    BOOST_TEST_REQUIRE(finished.has_value());
  }
  std::string rows(const std::string& name) const {
    const auto text = text_of(scratch_.path("run/" + name));
    return text.substr(text.find('\n') + 1);
  }
  std::string header(const std::string& name) const {
    const auto text = text_of(scratch_.path("run/" + name));
    return text.substr(0, text.find('\n'));
  }
  const ScratchFolder& scratch() const { return scratch_; }

 private:
  ScratchFolder scratch_;
  PaperWorld world_;
  RunFolderWriter writer_;
  std::uint64_t number_ = 0;
};

sim::CurvePoint point(Duration at, const std::vector<Bytes>& dangling, std::uint32_t faults = 0) {
  sim::CurvePoint point{.time = SimTime{at}, .rows = {}, .active_faults = faults};
  for (const auto bytes : dangling) {
    sim::CurvePoint::Row row;
    row.totals.bytes[static_cast<std::size_t>(sim::ByteClass::dangling)] = bytes;
    row.garbage_max = bytes;
    point.rows.push_back(row);
  }
  return point;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(run_folder)

BOOST_AUTO_TEST_CASE(transitions_and_dropped_share_their_columns) {
  Written written;
  const auto segment = sample_segment();
  sim::Transition transition{&segment,
                             BrokerId{1},
                             LeaderEpoch{3},
                             std::nullopt,
                             RemoteLogSegmentState::copy_segment_started,
                             TaskStep::copy_publish_started,
                             true,
                             MetadataPartition{0},
                             0_offset,
                             SimTime{1ms}};
  written.record(SimTime{1'999us}, transition);
  transition.from = RemoteLogSegmentState::copy_segment_started;
  transition.to = RemoteLogSegmentState::dangling;
  transition.step = TaskStep::publish_dangling;
  written.record(SimTime{2s}, transition);
  transition.applied = false;
  written.record(SimTime{3s}, transition);
  written.end(sample_result());
  BOOST_TEST(written.header("transitions.csv") ==
             "time_ms,broker,topic,partition,leader_epoch,segment_id,start_offset,end_offset,size_bytes,from_state,to_"
             "state,cause,event");
  BOOST_TEST(written.rows("transitions.csv") ==
             "1,1,orders,0,3,AAAAAAAAAAAAAAAAAAAAAQ,100,199,1048576,,COPY_SEGMENT_STARTED,copy,1\n"
             "2000,1,orders,0,3,AAAAAAAAAAAAAAAAAAAAAQ,100,199,1048576,COPY_SEGMENT_STARTED,DANGLING,copy-failed,2\n");
  BOOST_TEST(written.header("dropped.csv") == written.header("transitions.csv"));
  BOOST_TEST(written.rows("dropped.csv") ==
             "3000,1,orders,0,3,AAAAAAAAAAAAAAAAAAAAAQ,100,199,1048576,COPY_SEGMENT_STARTED,DANGLING,copy-failed,3\n");
}

BOOST_AUTO_TEST_CASE(curves_tell_a_topic_only_when_it_changes_and_at_both_ends) {
  Written written;
  written.writer().curve(point(0ms, {0_B, 0_B, 0_B}));
  written.writer().curve(point(1s, {5_B, 5_B, 0_B}));
  written.writer().curve(point(2s, {5_B, 5_B, 0_B}));
  written.writer().curve(point(3s, {5_B, 5_B, 0_B}));
  written.end(sample_result());
  const auto row = [](const std::string& time, const std::string& topic, const std::string& b) {
    return time + "," + topic + "," + b + ",0,0,0,0," + b + ",0,0,0,0," + b + "," + b + ",0,0,0,0,0,0," + b + ",0,0\n";
  };
  const std::string odd = "\"odd,\"\"name\"\"\"";
  BOOST_TEST(written.rows("curves.csv") == row("0", "*", "0") + row("0", "orders", "0") + row("0", odd, "0") +  //
                                               row("1000", "*", "5") + row("1000", "orders", "5") +             //
                                               row("2000", "*", "5") +                                          //
                                               row("3000", "*", "5") + row("3000", "orders", "5") +
                                               row("3000", odd, "0"));
}

BOOST_AUTO_TEST_CASE(curves_do_not_lose_garbage_that_comes_and_goes_between_two_points) {
  Written written;
  written.writer().curve(point(0ms, {0_B, 0_B, 0_B}));
  auto peak = point(1s, {0_B, 0_B, 0_B});
  peak.rows[1].garbage_max = 7_B;
  written.writer().curve(peak);
  written.writer().curve(point(2s, {0_B, 0_B, 0_B}));
  written.end(sample_result());
  BOOST_TEST(written.rows("curves.csv").find("1000,orders,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,7,0,0\n") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(events_tell_calls_requests_publishes_runs_leaders_crashes_and_starts) {
  Written written;
  const auto segment = sample_segment(2);
  written.record(SimTime{5s},
                 sim::StoreRequestEnded{&segment, BrokerId{1}, TaskKind::copy, sim::StoreOperation::put,
                                        sim::ObjectKind::log, SimTime{1s}, 4_KiB, sim::CallResult::rejected, 0});
  written.record(SimTime{5s}, sim::StorageCallEnded{&segment, BrokerId{1}, TaskKind::copy, sim::StoreOperation::put,
                                                    SimTime{1s}, sim::CallResult::failed, 2});
  written.record(SimTime{6s}, sim::PublishEnded{&segment,
                                                BrokerId{1},
                                                TaskKind::copy,
                                                RemoteLogSegmentState::dangling,
                                                SimTime{5s},
                                                sim::CallResult::ok,
                                                {}});
  written.record(SimTime{7s},
                 sim::RunEnded{BrokerId{1}, TaskKind::copy, PartitionNumber{1}, RunEnd::failed, SimTime{1s}});
  written.record(SimTime{8s}, sim::BrokerCrashed{BrokerId{1}});
  written.record(SimTime{9s}, sim::LeaderChanged{PartitionNumber{1}, BrokerId{0}, LeaderEpoch{4}});
  written.record(SimTime{9s}, sim::BrokerStarted{BrokerId{1}});
  written.record(SimTime{9s}, sim::FaultHit{0});
  written.end(sample_result());
  BOOST_TEST(written.rows("events.csv") ==
             "1000,1,5000,1,copy,\"odd,\"\"name\"\"\",0,AAAAAAAAAAAAAAAAAAAAAQ,put,log,4096,rejected,puts-down,\n"
             "1000,2,5000,1,copy,\"odd,\"\"name\"\"\",0,AAAAAAAAAAAAAAAAAAAAAQ,copy-call,,,failed,crash#3,\n"
             "5000,3,6000,1,copy,\"odd,\"\"name\"\"\",0,AAAAAAAAAAAAAAAAAAAAAQ,publish,,,ok,,DANGLING\n"
             "1000,4,7000,1,copy,orders,1,,run,,,failed,,\n"
             "8000,5,8000,1,,,,,crash,,,,,\n"
             "9000,6,9000,,,orders,1,,leader,,,,,epoch 4\n"
             "9000,7,9000,1,,,,,start,,,,,\n");
}

BOOST_AUTO_TEST_CASE(metrics_tell_what_changed_between_two_looks_with_and_without_the_topic_and_end_with_their_broker) {
  Written written;
  std::vector<PartitionGauges> gauges(3);
  const auto set = [&](std::uint32_t partition, std::int64_t count, Bytes bytes) {
    BrokerTopicMetrics& shown = written.world().shown;
    shown.set(PartitionNumber{partition}, gauges[partition], Metric::dangling_remote_log_count, count);
    shown.set(PartitionNumber{partition}, gauges[partition], Metric::dangling_remote_log_bytes, bytes.value());
  };
  set(0, 1, 100_B);
  set(2, 1, 0_B);
  written.world().shown.mark(PartitionNumber{0}, Metric::remote_copy_requests_per_sec);
  written.writer().curve(point(2s, {0_B, 0_B, 0_B}));
  set(0, 0, 0_B);
  set(0, 1, 100_B);
  written.writer().curve(point(3s, {0_B, 0_B, 0_B}));
  written.world().is_broker_up = false;
  written.writer().curve(point(4s, {0_B, 0_B, 0_B}));
  written.end(sample_result());
  const auto row = [](const std::string& time, const std::string& name, const std::string& topic,
                      const std::string& value) {
    return time + ",1,\"kafka.server:type=BrokerTopicMetrics,name=DanglingRemoteLog" + name + topic + "\",Value," +
           value + "\n";
  };
  const std::string orders = ",topic=orders";
  const std::string odd = ",topic=odd,\"\"name\"\"";
  BOOST_TEST(written.rows("metrics.csv") == row("2000", "Count", orders, "1") + row("2000", "Bytes", orders, "100") +
                                                row("2000", "Count", odd, "1") + row("2000", "Count", "", "2") +
                                                row("2000", "Bytes", "", "100") + row("4000", "Count", orders, "0") +
                                                row("4000", "Bytes", orders, "0") + row("4000", "Count", odd, "0") +
                                                row("4000", "Count", "", "0") + row("4000", "Bytes", "", "0"));
}

// interfaces.md, --metrics all: meters by Count, gauges by Value, in the list's order.
BOOST_AUTO_TEST_CASE(metrics_of_kafka_are_told_when_asked_for) {
  Written written{Keep::all, MetricChoice::all};
  PartitionGauges gauges;
  written.world().shown.set(PartitionNumber{0}, gauges, Metric::remote_delete_lag_bytes, -5);
  written.world().shown.mark(PartitionNumber{0}, Metric::remote_copy_bytes_per_sec, 7);
  written.writer().curve(point(2s, {0_B, 0_B, 0_B}));
  written.end(sample_result());
  const std::string mbean = "\"kafka.server:type=BrokerTopicMetrics,name=";
  BOOST_TEST(written.rows("metrics.csv") == "2000,1," + mbean + "RemoteCopyBytesPerSec,topic=orders\",Count,7\n" +
                                                "2000,1," + mbean + "RemoteDeleteLagBytes,topic=orders\",Value,-5\n" +
                                                "2000,1," + mbean + "RemoteCopyBytesPerSec\",Count,7\n" + "2000,1," +
                                                mbean + "RemoteDeleteLagBytes\",Value,-5\n");
}

BOOST_AUTO_TEST_CASE(faults_violations_and_leftovers_are_told_at_the_end) {
  Written written;
  const auto segment = sample_segment();
  auto result = sample_result();
  result.violations = {{SimTime{9s}, "garbage-settles", "orders-0", "1 MiB left, \"stuck\"", 12}};
  result.expected = {true};
  result.leftovers.resize(2);
  auto& gone = result.leftovers[0];
  gone = {&segment,
          1_MiB,
          SimTime{1s},
          SimTime{2s},
          RemoteLogSegmentState::dangling,
          0,
          TaskStep::copy_upload,
          sim::Remover::sweep,
          sim::Remover::none,
          std::nullopt};
  auto& left = result.leftovers[1];
  left = gone;
  gone.seen = SimTime{1'500ms};
  left.reclaimed.reset();
  left.fault.reset();
  left.due_by = sim::Remover::retention;
  left.due = SimTime{7'000s};
  written.end(result);
  BOOST_TEST(written.rows("faults.csv") ==
             "3600000,18000000,store-unavailable,store,operations=put,44,puts-down,puts-down\n"
             "21600000,25200000,crash,broker:1,,0,,crash#2\n");
  BOOST_TEST(written.rows("violations.csv") == "9000,garbage-settles,orders-0,\"1 MiB left, \"\"stuck\"\"\",yes,12\n");
  BOOST_TEST(written.rows("leftovers.csv") ==
             "AAAAAAAAAAAAAAAAAAAAAQ,orders,0,1048576,1000,2000,DANGLING,puts-down,copy-upload,sweep,,,1500\n"
             "AAAAAAAAAAAAAAAAAAAAAQ,orders,0,1048576,1000,,DANGLING,,copy-upload,,retention,7000000,\n");
}

BOOST_AUTO_TEST_CASE(the_summary_rounds_byte_hours_and_milliseconds_down) {
  Written written;
  auto result = sample_result();
  result.summary.reclaim = Duration{1'999us};
  written.end(result);
  BOOST_TEST(written.rows("summary.csv") ==
             "paper,kafka-4.0,7,leak,pass,garbage-settles,3221225472,5000,0,1,0,0,,0,0,0,0,0,12,3,0,0,12582912,30,0,"
             "1234,1.234567,99,24,"
             "0000000000000abc\n");
  BOOST_TEST(written.header("runs.csv") == written.header("summary.csv") + ",folder");
}

BOOST_AUTO_TEST_CASE(what_the_scrubber_found_is_told_where_there_is_one) {
  const auto segment = sample_segment();
  const sim::RemedyActed scrubbed{&segment,
                                  sim::ObjectKind::indexes,
                                  sim::Remedy::scrubber,
                                  sim::RemedyFinding::unnamed,
                                  sim::RemedyAction::waiting,
                                  true};
  sim::RemedyActed aborted = scrubbed;
  aborted.remedy = sim::Remedy::bucket_rule;
  Written written{Keep::curves, MetricChoice::kip, 1h};
  written.record(SimTime{2s}, scrubbed);
  written.record(SimTime{3s}, aborted);
  written.end(sample_result());
  BOOST_TEST(written.header("scrubber.csv") == "time_ms,object,segment_id,finding,action,false_alarm");
  BOOST_TEST(written.rows("scrubber.csv") == "2000,indexes,AAAAAAAAAAAAAAAAAAAAAQ,unnamed,waiting,yes\n");
}

BOOST_AUTO_TEST_CASE(keep_decides_which_files_there_are) {
  const auto files = [](Keep keep) {
    Written written{keep};
    written.end(sample_result());
    std::string names;
    for (const auto& entry : run_files())
      if (std::filesystem::exists(written.scratch().path("run/" + std::string{entry.name})))
        names += std::string{entry.name} + " ";
    return names;
  };
  BOOST_TEST(files(Keep::all) ==
             "transitions.csv dropped.csv events.csv metrics.csv curves.csv faults.csv violations.csv leftovers.csv "
             "goals.csv summary.csv ");
  BOOST_TEST(files(Keep::curves) ==
             "metrics.csv curves.csv faults.csv violations.csv leftovers.csv "
             "goals.csv summary.csv ");
  BOOST_TEST(files(Keep::summary) == "faults.csv violations.csv goals.csv summary.csv ");
}

BOOST_AUTO_TEST_CASE(a_run_that_does_not_end_leaves_nothing) {
  const ScratchFolder scratch;
  {
    PaperWorld world;
    RunFolderWriter writer{{.folder = scratch.path("deep/run")}};
    writer.begin(world);
    BOOST_TEST(!scratch.names().empty());
  }
  BOOST_TEST(scratch.names().empty());
}

BOOST_AUTO_TEST_CASE(a_place_that_cannot_be_written_is_told_once_and_the_run_goes_on) {
  const ScratchFolder scratch;
  BOOST_TEST_REQUIRE(write_file(scratch.path("plain"), "").has_value());
  PaperWorld world;
  RunFolderWriter writer{{.folder = scratch.path("plain/run")}};
  writer.begin(world);
  writer.record({SimTime{1s}, 1, sim::FaultHit{0}});
  writer.end(sample_result());
  const auto finished = writer.finish();
  BOOST_TEST_REQUIRE(!finished.has_value());
  BOOST_TEST(finished.error() == scratch.path("plain/run") + ": Not a directory");
}

BOOST_AUTO_TEST_CASE(an_existing_folder_is_refused_before_the_run) {
  const ScratchFolder scratch;
  std::filesystem::create_directories(scratch.path("run/old"));
  PaperWorld world;
  RunFolderWriter writer{{.folder = scratch.path("run")}};
  writer.begin(world);
  writer.end(sample_result());
  BOOST_TEST(!writer.finish().has_value());
  BOOST_TEST(scratch.names() == std::vector<std::string>{"run"});
}

BOOST_AUTO_TEST_CASE(what_was_written_reads_back) {
  Written written;
  written.writer().curve(point(0ms, {0_B, 0_B, 0_B}));
  written.writer().curve(point(1s, {5_B, 5_B, 0_B}));
  written.end(sample_result());
  const auto runs = read_runs(written.scratch().path("run"));
  BOOST_TEST_REQUIRE(runs.has_value());
  BOOST_TEST_REQUIRE(runs->size() == 1U);
  const auto& run = runs->front();
  BOOST_TEST(run.overview.summary.policy == "kafka-4.0");
  BOOST_TEST((run.overview.summary.reclaim == Duration{20h}));
  BOOST_TEST(run.overview.summary.cost_micro_usd == 1'234'567);
  BOOST_TEST(run.overview.summary.trace_hash == 0xabcU);
  BOOST_TEST(run.overview.last_fault == "puts-down");
  BOOST_TEST((run.overview.last_fault_end == SimTime{5h}));
  BOOST_TEST((run.overview.world_end == SimTime{36h}));
  BOOST_TEST_REQUIRE(run.curve.size() == 2U);
  BOOST_TEST(run.curve[1].garbage_bytes_max == 5);
  BOOST_TEST(run.manifest.scenario_hash == scenario_hash(written.world().scenario()));
  BOOST_TEST(headline(std::vector{run.overview}) ==
             headline(std::vector{overview(sample_result(), written.world().scenario())}));
}

BOOST_AUTO_TEST_CASE(the_scenario_and_its_plan_stand_in_the_folder) {
  Written written;
  written.end(sample_result());
  BOOST_TEST(text_of(written.scratch().path("run/scenario.ini")) == "[scenario]\nduration = 1h\n");
  BOOST_TEST(text_of(written.scratch().path("run/faults.plan.csv")) == "start,duration,kind,target,params,name\n");
}

BOOST_AUTO_TEST_CASE(a_policys_label_makes_a_harmless_folder_name) {
  BOOST_TEST(folder_name("kip-dangling") == "kip-dangling");
  BOOST_TEST(folder_name("kip-dangling:sweep=after-success") == "kip-dangling_sweep=after-success");
  BOOST_TEST(folder_name("../x") == "_.._x");
}

BOOST_AUTO_TEST_SUITE_END()
