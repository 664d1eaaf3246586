// What `run --dump-metadata` writes, `import` reads back: the run's own transitions, in order, by both of Kafka's
// tools, over many small worlds in which much fails. (interfaces: transitions.csv, import.)
#include <array>
#include <map>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "reports/import/curve_fold.h"
#include "reports/import/import.h"
#include "reports/run_folder.h"
#include "sim/kernel/random.h"
#include "tests/reports/sample_run.h"
#include "tests/support/world_support.h"

using namespace reports;
using namespace reports_test;

namespace {

constexpr std::uint64_t world_count = 36;

/// A drawn world: an hour of a few partitions in which copies, deletes, brokers and publishes fail.
sim::Scenario drawn_world(std::uint64_t number) {
  const auto draw = [number](std::string_view what, std::int64_t least, std::int64_t greatest) {
    return sim::uniform(sim::keyed_draw(sim::Seed{number}, "round-trip", sim::hash_of(what)), least, greatest);
  };
  const std::string ini = fmt::format(
      "[scenario]\nduration = 1h\nsettle = 5m\n[cluster]\nbrokers = 3\n[metadata]\n"
      "remote.log.metadata.topic.num.partitions = {}\n[topic.a.b-c]\npartitions = {}\nsegment.bytes = 1MiB\n"
      "retention.ms = {}m\nproduce = {}KiB/s\ninitial.finished = 2\ninitial.epochs = 0=0 3=1500\n[topic.t]\n"
      "partitions = 1\nsegment.bytes = 512KiB\nretention.bytes = 4MiB\nproduce = 4KiB/s\n",
      draw("metadata partitions", 1, 4), draw("partitions", 1, 3), draw("retention", 5, 60), draw("produce", 2, 16));
  std::string plan;
  const auto maybe = [&](std::string_view row) {
    if (draw(row, 0, 2) > 0) plan += fmt::format("{}m,{}m,{}\n", draw(row, 0, 20), draw(row, 1, 30), row);
  };
  maybe("copy-fail,store,probability=0.5;stored=log");
  maybe("delete-fail,store,probability=0.5");
  maybe("store-slow,store,factor=50");
  maybe("crash,broker:1,");
  maybe("partition,broker:2<>broker:3,");
  maybe("oversized-custom-metadata,store,size=200;probability=0.2");
  maybe("clock-skew,broker:2,by=90s");
  maybe("metadata-ack-lost,metadata,probability=0.1");
  return tests::read_world(ini, plan);
}

/// Writes the run's folder, and notes when each record was made.
class Recording final : public sim::RunListener {
 public:
  explicit Recording(RunFolderWriter& writer) : writer_(writer) {}
  void begin(const sim::WorldView& world) override { writer_.begin(world); }
  void record(const sim::TraceRecord& record) override {
    writer_.record(record);
    if (const auto* transition = std::get_if<sim::Transition>(&record.event); transition && transition->applied)
      event_ms.push_back(to_milliseconds(transition->event_timestamp));
  }
  void curve(const sim::CurvePoint& point) override { writer_.curve(point); }
  void end(const sim::RunResult& result) override { writer_.end(result); }

  /// By row of transitions.csv.
  std::vector<std::int64_t> event_ms;

 private:
  RunFolderWriter& writer_;
};

/// Time 0 of a world whose scenario does not say when it starts: 2020-01-01.
constexpr std::int64_t start_ms = 1'577'836'800'000;

/// The run's transitions.csv with the times of its dump.
void write_shifted(const std::string& from, const std::string& to) {
  const std::string text = text_of(from);
  std::string shifted = text.substr(0, text.find('\n') + 1);
  for (std::size_t at = shifted.size(); at < text.size();) {
    const std::size_t comma = text.find(',', at);
    const std::size_t end = text.find('\n', at) + 1;
    shifted += fmt::format("{}{}", start_ms + std::stoll(text.substr(at, comma - at)), text.substr(comma, end - comma));
    at = end;
  }
  BOOST_TEST_REQUIRE(write_file(to, shifted).has_value());
}

/// Rows of a partition, in order: everything that a record says of itself, `time` in front.
using Rows = std::map<std::string, std::vector<std::string>>;

template <class TimeOf>
Rows rows_of(const std::string& path, TimeOf&& time_of) {
  Rows rows;
  std::size_t number = 0;
  const auto read = read_csv(path, [&](const CsvRow& row) {
    const std::size_t index = number++;
    std::string line = fmt::format("{}", time_of(row, index));
    for (const std::string_view column :
         {"broker", "segment_id", "start_offset", "end_offset", "size_bytes", "from_state", "to_state"})
      line += fmt::format(",{}", row[column]);
    rows[fmt::format("{}-{}", row["topic"], row["partition"])].push_back(std::move(line));
  });
  BOOST_TEST_REQUIRE(read.has_value());
  return rows;
}
std::int64_t own_time(const CsvRow& row, std::size_t) { return row.integer("time_ms"); }

std::string first_difference(const Rows& a, const Rows& b) {
  if (a.size() != b.size()) return fmt::format("{} and {} partitions", a.size(), b.size());
  for (const auto& [partition, rows] : a) {
    const auto other = b.find(partition);
    if (other == b.end()) return partition + " is missing";
    for (std::size_t i = 0; i < std::max(rows.size(), other->second.size()); ++i) {
      const std::string left = i < rows.size() ? rows[i] : "(none)";
      const std::string right = i < other->second.size() ? other->second[i] : "(none)";
      if (left != right) return fmt::format("{}: {} and {}", partition, left, right);
    }
  }
  return {};
}

void import_into(const std::string& folder, const std::vector<std::string>& dumps) {
  const ImportOptions options{.dumps = dumps, .folder = folder, .manifest = {.scenario = "round-trip"}};
  const auto result = import_dumps(options);
  BOOST_TEST_REQUIRE(result.has_value());
  BOOST_TEST(result->counts.unreadable == 0U);
  BOOST_TEST(result->counts.repeated == 0U);
}

/// What a dump cannot know.
void check_empty_columns(const std::string& path) {
  constexpr std::array unknown{"leader_epoch", "cause", "event"};
  const auto read = read_csv(path, [&](const CsvRow& row) {
    for (const std::string_view column : unknown) BOOST_TEST(row[column].empty(), column);
  });
  BOOST_TEST(read.has_value());
}

/// One run, dumped.
struct Trip {
  explicit Trip(std::uint64_t number) {
    const sim::Scenario scenario = drawn_world(number);
    const auto names = tests::policy_names();
    RunFolderWriter writer{{.folder = run, .keep = Keep::all, .dump_metadata = true}};
    Recording recording{writer};
    sim::run_world(scenario, tests::policy_choice(names[number % names.size()], scenario), number, &recording);
    BOOST_TEST_REQUIRE(writer.finish().has_value());
    event_ms = std::move(recording.event_ms);
    for (const auto& entry : std::filesystem::directory_iterator{run}) {
      if (entry.is_directory()) logs.push_back(entry.path().string() + "/metadata.dump-log.txt");
    }
  }

  ScratchFolder scratch;
  std::string run = scratch.path("run");
  std::vector<std::string> logs;
  std::vector<std::int64_t> event_ms;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(import_round_trip)

BOOST_AUTO_TEST_CASE(an_imported_dump_is_the_runs_own_story) {
  std::size_t row_count = 0;
  std::size_t dropped_count = 0;
  std::size_t late_count = 0;
  for (std::uint64_t number = 1; number <= world_count; ++number) {
    BOOST_TEST_CONTEXT("world " << number) {
      const Trip trip{number};
      const std::string by_log = trip.scratch.path("by-log");
      const std::string by_console = trip.scratch.path("by-console");
      import_into(by_log, trip.logs);
      import_into(by_console, {trip.run + "/metadata.console.txt"});

      // kafka-dump-log tells when a record was appended, the console only when its writer made it.
      const std::string transitions = trip.scratch.path("transitions.csv");
      write_shifted(trip.run + "/transitions.csv", transitions);
      const Rows run = rows_of(transitions, own_time);
      BOOST_TEST(first_difference(run, rows_of(by_log + "/transitions.csv", own_time)) == "");
      const auto made = [&](const CsvRow&, std::size_t row) { return start_ms + trip.event_ms.at(row); };
      const Rows events = rows_of(transitions, made);
      BOOST_TEST(first_difference(events, rows_of(by_console + "/transitions.csv", own_time)) == "");
      write_shifted(trip.run + "/dropped.csv", trip.scratch.path("dropped.csv"));
      const Rows dropped = rows_of(trip.scratch.path("dropped.csv"), own_time);
      BOOST_TEST(first_difference(dropped, rows_of(by_log + "/dropped.csv", own_time)) == "");
      check_empty_columns(by_log + "/transitions.csv");
      check_empty_columns(by_console + "/dropped.csv");

      const std::string folded = trip.scratch.path("folded.csv");
      BOOST_TEST_REQUIRE(fold_curves(transitions, folded).has_value());
      BOOST_TEST(text_of(folded) == text_of(by_log + "/curves.csv"));

      for (const auto& [partition, rows] : run) row_count += rows.size();
      for (const auto& [partition, rows] : dropped) dropped_count += rows.size();
      late_count += run != events ? 1 : 0;
    }
  }
  // The worlds must not be too quiet to tell anything.
  BOOST_TEST(row_count > 2'000U);
  BOOST_TEST(dropped_count > 0U);
  BOOST_TEST(late_count > 0U);
}

BOOST_AUTO_TEST_SUITE_END()
