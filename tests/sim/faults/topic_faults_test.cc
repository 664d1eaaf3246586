// Unclean elections, changed configurations and lost metadata records: cases C07, C08; facts 4.3, 5.2, F22.
#include <boost/test/unit_test.hpp>

#include "sim/observers/ledger.h"
#include "sim/run_result.h"
#include "tests/support/world_support.h"

BOOST_AUTO_TEST_SUITE(topic_faults)

using namespace tests;

constexpr std::string_view nothing = "0 0 0 0";
constexpr std::string_view whole = "1048576 262144 65536 65536";
constexpr Bytes whole_bytes{1'048'576 + 262'144 + 2 * 65'536};

sim::RunResult result_of(std::string_view ini, std::string_view plan, const std::vector<std::string>& sets = {},
                         std::string_view policy = "kafka-4.0") {
  const Scenario scenario = read_world(ini, plan, sets);
  return sim::run_world(scenario, policy_choice(policy, scenario), 1, nullptr);
}

std::string broken(const sim::RunResult& result) {
  std::string names;
  for (const sim::Violation& violation : result.violations) {
    if (names.find(violation.invariant) == std::string::npos) names += std::string{violation.invariant} + " ";
  }
  return names;
}

// C07: 640 records since the start after the 2,048 copied ones; the new leader has 1,536 of them all.
const std::vector<std::string> one_partition{"topic.t.partitions=1", "topic.t.initial.closed=2",
                                             "topic.t.produce=64KiB/s"};
constexpr const char* unclean = "10s,,unclean-election,partition:t-0,missing=1152KiB\n";

BOOST_AUTO_TEST_CASE(c07_the_new_leader_copies_from_where_the_histories_part) {
  TestWorld world{two_brokers(), unclean, one_partition};
  world.run_until(10s);
  BOOST_TEST(world.leaders() == "0 1/0, 10000 2/1");
  BOOST_TEST(world.log_end(BrokerId{2}) == 1536);
  BOOST_TEST(world.log_end(BrokerId{1}) == 1536);
  BOOST_TEST(world.epochs(BrokerId{1}) == "0=0 1=1536");
  BOOST_TEST(world.hits() == 1u);
  world.run_until(1min);
  // Half a segment was left of the second; it is full 8 seconds later, and goes with the run at 40 s.
  BOOST_TEST(world.rolls().starts_with("18015.625 1024-2048 1048576"));
  BOOST_TEST(world.world.segment(2).start_offset == 1024_offset);
  BOOST_TEST(world.world.segment(2).end_offset == 2047_offset);
  BOOST_TEST(world.folded(2) == "CF");
  BOOST_TEST(world.folded(1) == "CF");  // Out of the lineage, and listed still.
  BOOST_TEST(world.stored(1) == whole);
}

BOOST_AUTO_TEST_CASE(an_unclean_election_is_judged_under_every_policy) {
  for (const std::string_view policy : policy_names()) {
    BOOST_TEST_CONTEXT(policy) {
      const sim::RunResult result = result_of(two_brokers(), unclean, one_partition, policy);
      BOOST_TEST(broken(result) == "");
      BOOST_TEST(result.summary.over_deleted_bytes == Bytes{0});
    }
  }
}

BOOST_AUTO_TEST_CASE(a_replica_that_is_out_of_sync_comes_first_and_loses_what_it_lacks) {
  std::vector<std::string> sets = one_partition;
  sets.emplace_back("cluster.brokers=3");
  TestWorld world{two_brokers(), "2s,30s,partition,broker:1<>broker:3,\n10s,,unclean-election,topic:t,\n", sets};
  world.run_until(10s);
  BOOST_TEST(world.leaders() == "0 1/0, 10000 3/1");
  BOOST_TEST(world.log_end(BrokerId{3}) == 2048 + 128);
  BOOST_TEST(world.log_end(BrokerId{2}) == 2048 + 128);
}

BOOST_AUTO_TEST_CASE(a_shorter_retention_takes_effect_with_the_next_run) {
  const char* row = "10s,,config-change,topic:t,retention.ms=1m\n";
  TestWorld world{one_broker, row};
  world.run_until(2min);
  BOOST_TEST(world.transitions(0) == "0 CS, 1425 CF, 75000 DS, 75050 DF");
  BOOST_TEST(world.stored(1) == nothing);
  BOOST_TEST(world.hits() == 1u);
  const sim::RunResult result = result_of(one_broker, row);
  BOOST_TEST(broken(result) == "");
  BOOST_TEST(result.summary.over_deleted_bytes == Bytes{0});
}

BOOST_AUTO_TEST_CASE(a_longer_retention_keeps_what_was_due) {
  const char* row = "10s,,config-change,*,retention.ms=-1\n";
  TestWorld world{one_broker, row, {"topic.t.retention.ms=1m"}};
  world.run_until(1h);
  BOOST_TEST(world.stored(0) == whole);
  BOOST_TEST(broken(result_of(one_broker, row, {"topic.t.retention.ms=1m"})) == "");
}

// 2 MiB are there; a limit of 1 MiB lets the first segment go, and what then breaks early is a loss again.
BOOST_AUTO_TEST_CASE(a_limit_of_size_is_judged_by_what_holds_now) {
  const char* rows = "10s,,config-change,topic:t,retention.bytes=1MiB\n20s,,config-change,topic:t,retention.bytes=-1\n";
  TestWorld world{one_broker, rows};
  world.run_until(2min);
  BOOST_TEST(world.stored(0) == nothing);
  BOOST_TEST(world.stored(1) == whole);
  BOOST_TEST(broken(result_of(one_broker, rows)) == "");
}

// Facts 4.3: the copy task is cancelled, so that its clean-up is skipped, and comes back as another one.
BOOST_AUTO_TEST_CASE(copies_end_while_they_are_disabled) {
  TestWorld world{one_broker,
                  "500ms,,config-change,topic:t,remote.log.copy.disable=yes\n"
                  "10s,,config-change,topic:t,remote.log.copy.disable=no\n"};
  world.run_until(9s);
  BOOST_TEST(world.stored(0) == "471859 0 0 0");
  BOOST_TEST(world.transitions(0) == "0 CS");
  BOOST_TEST(world.world.segment_count() == 1u);
  world.run_until(1min);
  BOOST_TEST(world.transitions(1) == "10000 CS, 11425 CF");
}

BOOST_AUTO_TEST_CASE(segments_close_by_the_size_that_holds_now) {
  TestWorld world{
      "[scenario]\nduration = 2h\n[cluster]\nbrokers = 1\n[topic.t]\npartitions = 1\nproduce = 1KiB/s\n"
      "segment.bytes = 10KiB\n",
      "12s,,config-change,topic:t,segment.bytes=5KiB\n"};
  world.run_until(22s);
  BOOST_TEST(world.rolls() == "11000 0-10 10240, 16000 10-15 5120, 21000 15-20 5120");
}

// The topic forgets a finish and a start; the broker knows both until its process ends.
constexpr const char* loss = "2s,,metadata-record-loss,metadata,newest=1s\n10s,5s,crash,broker:1,\n";

BOOST_AUTO_TEST_CASE(lost_records_are_known_to_nobody_but_who_has_read_them) {
  TestWorld world{one_broker, loss};
  world.run_until(9s);
  BOOST_TEST(world.folded(0) == "CS");
  BOOST_TEST(world.folded(1) == "");
  BOOST_TEST(world.cached(BrokerId{1}, 0) == "CF");
  BOOST_TEST(world.cached(BrokerId{1}, 1) == "CF");
  BOOST_TEST(world.transitions(1) == "1475 CS, 2900 -CF");
  BOOST_TEST(!world.world.has_consumed_all(BrokerId{1}, first_partition));
  BOOST_TEST(world.hits() == 1u);
  world.run_until(1min);
  BOOST_TEST(world.cached(BrokerId{1}, 0) == "CS");
  BOOST_TEST(world.cached(BrokerId{1}, 1) == "");
  BOOST_TEST(world.folded(2) == "CF");  // Both ranges are copied again.
  BOOST_TEST(world.folded(3) == "CF");
  BOOST_TEST(world.world.has_consumed_all(BrokerId{1}, first_partition));
}

BOOST_AUTO_TEST_CASE(bytes_that_no_record_names_any_more_are_orphans) {
  for (const std::string_view policy : policy_names()) {
    BOOST_TEST_CONTEXT(policy) {
      const sim::RunResult result = result_of(one_broker, loss, {}, policy);
      BOOST_TEST(result.summary.orphan_bytes_end == whole_bytes);
      // Recovery takes over what its own broker left started.
      const bool takes_over = policy == "kip-dangling-recovery";
      BOOST_TEST(result.summary.stuck_bytes_end == (takes_over ? Bytes{0} : whole_bytes));
      BOOST_TEST(result.summary.over_deleted_bytes == Bytes{0});
    }
  }
}

// F22, C08: the process that has read them still serves them, and the next one knows nothing.
BOOST_AUTO_TEST_CASE(f22_records_older_than_the_topics_retention_go_at_its_next_check) {
  const char* rows = "0s,10m,metadata-retention,metadata,retention=1m\n310s,5s,crash,broker:1,\n";
  TestWorld world{one_broker, rows};
  world.run_until(299s);
  BOOST_TEST(world.folded(0) == "CF");
  world.run_until(300s);
  BOOST_TEST(world.folded(0) == "");
  BOOST_TEST(world.cached(BrokerId{1}, 0) == "CF");
  world.run_until(6min);
  BOOST_TEST(world.cached(BrokerId{1}, 0) == "");
  BOOST_TEST(world.folded(2) == "CF");
  BOOST_TEST(world.stored(0) == whole);
  BOOST_TEST(world.hits() == 1u);
  BOOST_TEST(result_of(one_broker, rows).summary.orphan_bytes_end == 2 * whole_bytes);
}

/// Compares the ledger's books with the world at every record from the first fault on.
class BooksAtEachRecord final : public sim::TraceObserver {
 public:
  explicit BooksAtEachRecord(const sim::World& world) : ledger(world) {}
  void on(const TraceRecord& record) override {
    ledger.on(record);
    if (std::holds_alternative<sim::FaultHit>(record.event)) ++hits;
    if (hits > 0 && !(ledger.totals() == ledger.recount())) ++differences;
  }
  sim::Ledger ledger;
  int hits = 0;
  int differences = 0;
};

// A campaign's seed stopped here: the fault's record came when the topic had forgotten and the books did not know yet.
BOOST_AUTO_TEST_CASE(f22_the_books_hold_at_each_record_while_the_topic_forgets) {
  const char* retention = "0s,10m,metadata-retention,metadata,retention=1m\n";
  for (const char* rows : {loss, retention}) {
    const Scenario scenario = read_world(one_broker, rows);
    sim::World world{scenario, policy_choice("kafka-4.0", scenario), 1};
    BooksAtEachRecord books{world};
    world.trace().add_observer(books);
    world.begin();
    world.run_until(model::time_start + 6min);
    BOOST_TEST(books.hits >= 1);
    BOOST_TEST(books.differences == 0);
  }
}

// What is on the remote tier only is lost with its record, and that is a loss, not a leak.
BOOST_AUTO_TEST_CASE(f22_a_copy_without_a_local_one_is_lost_with_its_records) {
  const std::vector<std::string> remote_only{"topic.t.initial.closed=0", "topic.t.initial.finished=2"};
  const sim::RunResult result =
      result_of(one_broker, "0s,10m,metadata-retention,metadata-of:t-0,retention=1m\n", remote_only);
  BOOST_TEST(broken(result).find("readable-offsets") != std::string::npos, broken(result));
  BOOST_TEST((result.summary.outcome == sim::Outcome::loss));
  BOOST_TEST(result.summary.over_deleted_bytes == Bytes{2 << 20});
  BOOST_TEST(result.summary.orphan_bytes_end == 2 * whole_bytes);
}

BOOST_AUTO_TEST_SUITE_END()
