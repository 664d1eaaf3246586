// Every invariant has a test in which a planted break is caught and one in which it stays silent.
#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include <boost/test/unit_test.hpp>

#include "tests/support/observer_support.h"

namespace tests {
namespace {

using enum model::RemoteLogSegmentState;
using enum model::TaskStep;
using Names = std::vector<std::string>;

/// Names of what is broken once liveness and the end have been judged as well.
Names judged(FakeWorld& world) {
  world.ledger.advance(world.now());
  world.invariants.judge_liveness();
  world.invariants.judge_safety_at_end();
  return world.broken();
}

const sim::Violation& only_violation(const FakeWorld& world) {
  BOOST_REQUIRE(world.invariants.violations().size() == 1);
  return world.invariants.violations().front();
}

/// A copy that dies in its upload.
const RemoteLogSegment& failed_copy(FakeWorld& world, Bytes stored) {
  const auto& copy = world.uploading(0_offset, 99_offset, stored);
  world.copy_failed(copy);
  world.leave(copy);
  return copy;
}

/// Two brokers that write DANGLING as a tag, until one is set to something else.
const FakeWorld::Setup two_versions_tagged{
    .brokers = 2, .policy = "kip-dangling", .kip = {.encoding = model::DanglingEncoding::tagged}};

BOOST_AUTO_TEST_SUITE(invariants)

BOOST_AUTO_TEST_CASE(each_has_a_name_of_its_own_and_says_what_it_means) {
  std::set<std::string_view> names;
  for (const sim::InvariantEntry& entry : sim::invariants()) {
    BOOST_TEST(names.insert(entry.name).second);
    BOOST_TEST(!entry.property.empty());
  }
  BOOST_TEST(names.size() == 12U);
}

// Each has a case below in which a planted bug breaks it: `NAME_catches_...`.
BOOST_AUTO_TEST_CASE(each_catches_a_planted_bug) {
  std::stringstream text;
  text << std::ifstream{FLOTSAM_SOURCE_DIR "/tests/sim/observers/invariants_test.cc"}.rdbuf();
  const std::string source = text.str();
  for (const sim::InvariantEntry& entry : sim::invariants()) {
    std::string name{entry.name};
    std::replace(name.begin(), name.end(), '-', '_');
    BOOST_TEST(source.find("BOOST_AUTO_TEST_CASE(" + name + "_catches_") != std::string::npos, entry.name);
  }
}

BOOST_AUTO_TEST_CASE(eight_are_safety_and_four_are_liveness) {
  const auto is_safety = [](const auto& entry) { return entry.kind == sim::InvariantKind::safety; };
  const auto list = sim::invariants();
  BOOST_TEST(std::count_if(list.begin(), list.end(), is_safety) == 8);
}

BOOST_AUTO_TEST_CASE(a_whole_life_breaks_nothing) {
  FakeWorld world{{.retention_time = 1h}};
  world.roll(100);
  const auto& copy = world.copied(0_offset, 99_offset);
  world.delete_local_below(100_offset);
  world.set_gauges({});
  world.at(1h);
  world.raise_log_start(100_offset);
  world.enter(copy, retention_publish_started);
  world.publish(copy, delete_segment_started, retention_publish_started);
  world.enter(copy, retention_delete);
  world.remove_all(copy);
  world.enter(copy, retention_publish_finished);
  world.publish(copy, delete_segment_finished, retention_publish_finished);
  world.leave(copy, TaskKind::expiration);
  BOOST_TEST(judged(world).empty());
}

BOOST_AUTO_TEST_CASE(a_violation_says_when_where_and_after_which_record_and_a_subject_is_told_once) {
  FakeWorld world{{.policy = "kafka-4.0"}};
  const auto& copy = failed_copy(world, 10_MiB);
  world.at(7s);
  world.publish(copy, dangling, publish_dangling);
  const std::uint64_t number = world.trace.record_count();
  world.publish(copy, dangling, publish_dangling);
  const sim::Violation& violation = only_violation(world);
  BOOST_TEST(violation.time == SimTime{7s});
  BOOST_TEST(violation.event == number);
  BOOST_TEST(violation.subject == "copy 0 of orders-0");
  BOOST_TEST(violation.detail.find("COPY_SEGMENT_STARTED -> DANGLING") != std::string::npos);
}

// legal-transitions

BOOST_AUTO_TEST_CASE(legal_transitions_catches_a_state_that_the_writers_policy_does_not_know) {
  FakeWorld world{{.policy = "kafka-4.0"}};
  const auto& copy = failed_copy(world, 10_MiB);
  world.publish(copy, dangling, publish_dangling);
  BOOST_TEST(world.broken() == Names{"legal-transitions"});
}

BOOST_AUTO_TEST_CASE(legal_transitions_judges_each_writer_by_its_own_table_and_never_what_is_dropped) {
  FakeWorld world{{.brokers = 2, .policy = "kafka-4.0"}};
  world.set_policy(broker_2, "kip-dangling");
  const auto& copy = failed_copy(world, 10_MiB);
  world.publish(copy, dangling, publish_dangling, broker_2);
  world.publish(copy, delete_segment_finished, retention_publish_finished);
  world.publish(copy, copy_segment_finished, copy_publish_finished);
  BOOST_TEST(world.broken().empty());
}

// Readings 4.12: a tagged DANGLING is a delete under way to an older broker, which may go on with it.
BOOST_AUTO_TEST_CASE(legal_transitions_lets_an_old_broker_go_on_from_what_it_reads) {
  FakeWorld world{two_versions_tagged};
  world.set_policy(broker_2, "kafka-4.0");
  const auto& copy = failed_copy(world, 10_MiB);
  world.publish(copy, dangling, publish_dangling);
  world.publish(copy, delete_segment_started, retention_publish_started, broker_2);
  BOOST_TEST(world.broken().empty());
  world.publish(copy, dangling, retention_publish_dangling, broker_2);
  BOOST_TEST(world.broken() == Names{"legal-transitions"});
}

// terminal-stays-terminal

BOOST_AUTO_TEST_CASE(terminal_stays_terminal_catches_a_copy_that_begins_again) {
  FakeWorld world;
  const auto& copy = failed_copy(world, 0_MiB);
  world.publish(copy, delete_segment_started);
  world.publish(copy, delete_segment_finished);
  BOOST_TEST(world.broken().empty());
  world.publish(copy, copy_segment_started);
  BOOST_TEST(world.broken() == Names{"terminal-stays-terminal"});
}

BOOST_AUTO_TEST_CASE(terminal_stays_terminal_ignores_records_that_do_not_apply) {
  FakeWorld world;
  const auto& copy = failed_copy(world, 0_MiB);
  world.publish(copy, delete_segment_started);
  world.publish(copy, delete_segment_finished);
  world.publish(copy, copy_segment_finished);
  world.publish(copy, delete_segment_finished);
  BOOST_TEST(world.broken().empty());
}

// readable-offsets

BOOST_AUTO_TEST_CASE(readable_offsets_catches_a_finished_copy_whose_object_is_cut) {
  FakeWorld world;
  world.initial_copy(0_offset, 99_offset);
  const auto& copy = world.initial_copy(100_offset, 199_offset);
  world.set_gauges({});
  world.change_bytes(copy, -Bytes{1});
  const auto broken = world.broken();
  BOOST_TEST((std::find(broken.begin(), broken.end(), "readable-offsets") != broken.end()));
  BOOST_TEST(world.invariants.violations().back().subject == "orders-0");
}

BOOST_AUTO_TEST_CASE(readable_offsets_catches_local_segments_that_go_before_they_are_copied) {
  FakeWorld world;
  world.roll(100);
  world.roll(100);
  world.copied(0_offset, 99_offset);
  world.delete_local_below(100_offset);
  BOOST_TEST(world.broken().empty());
  world.delete_local_below(200_offset);
  const auto broken = world.broken();
  BOOST_TEST((std::find(broken.begin(), broken.end(), "readable-offsets") != broken.end()));
}

BOOST_AUTO_TEST_CASE(readable_offsets_catches_a_leader_that_cannot_look_a_copy_up) {
  FakeWorld world{{.brokers = 2}};
  world.initial_copy(0_offset, 99_offset);
  world.set_gauges({});
  auto& history = world.log_of(broker_2).leader_epochs();
  history.truncate_from_end(0_offset);
  history.assign(model::LeaderEpoch{3}, 0_offset);
  world.lead(broker_2, 4);
  const auto broken = world.broken();
  BOOST_TEST((std::find(broken.begin(), broken.end(), "readable-offsets") != broken.end()));
}

BOOST_AUTO_TEST_CASE(readable_offsets_finds_in_its_whole_check_what_no_record_told) {
  FakeWorld world;
  const auto& copy = world.initial_copy(0_offset, 99_offset);
  world.set_gauges({});
  world.stored_of(copy) = Bytes{1};
  world.invariants.judge_safety_at_end();
  const auto broken = world.broken();
  BOOST_TEST((std::find(broken.begin(), broken.end(), "readable-offsets") != broken.end()));
}

BOOST_AUTO_TEST_CASE(readable_offsets_is_silent_about_what_is_local_or_below_the_log_start) {
  FakeWorld world{{.retention_time = 1h}};
  world.roll(100);
  const auto& local = world.copied(0_offset, 99_offset);
  world.change_bytes(local, -Bytes{1});
  world.at(2h);
  world.raise_log_start(100_offset);
  world.remove_all(local);
  world.delete_local_below(100_offset);
  BOOST_TEST(judged(world).empty());
}

// nothing-live-deleted

BOOST_AUTO_TEST_CASE(nothing_live_deleted_catches_a_log_start_that_no_rule_asked_for) {
  FakeWorld world;
  world.roll(100);
  world.copied(0_offset, 99_offset);
  world.raise_log_start(50_offset);
  BOOST_TEST(world.broken() == Names{"nothing-live-deleted"});
  BOOST_TEST(only_violation(world).detail.find("[0, 50)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(nothing_live_deleted_is_silent_when_time_asks_for_it) {
  FakeWorld world{{.retention_time = 1h}};
  world.roll(100);
  world.copied(0_offset, 99_offset);
  world.at(1h);
  world.raise_log_start(100_offset);
  BOOST_TEST(world.broken().empty());
}

// no-early-retention

BOOST_AUTO_TEST_CASE(no_early_retention_catches_a_copy_that_is_taken_before_its_time) {
  FakeWorld world{{.retention_time = 1h}};
  world.roll(100);
  const auto& copy = world.copied(0_offset, 99_offset);
  world.at(1h - 1us);
  world.enter(copy, retention_publish_started);
  BOOST_TEST(world.broken() == Names{"no-early-retention"});
}

BOOST_AUTO_TEST_CASE(no_early_retention_is_silent_about_what_is_due_or_not_finished) {
  FakeWorld world{{.retention_bytes = 150_MiB}};
  world.roll(100);
  const auto& copy = world.copied(0_offset, 99_offset);
  const auto& dead = failed_copy(world, 10_MiB);
  world.enter(dead, retention_publish_started);
  // Nothing is told of what the active segment gains.
  world.append(150);
  world.enter(copy, retention_publish_started);
  BOOST_TEST(world.broken().empty());
}

// metric-equals-cache

BOOST_AUTO_TEST_CASE(metric_equals_cache_catches_a_gauge_that_differs) {
  FakeWorld world{{.policy = "kip-dangling"}};
  const auto& copy = failed_copy(world, 10_MiB);
  world.publish(copy, dangling, publish_dangling);
  world.set_gauges({1, 99_MiB});
  BOOST_TEST(world.broken() == Names{"metric-equals-cache"});
}

BOOST_AUTO_TEST_CASE(metric_equals_cache_takes_the_brokers_own_cache_for_its_truth) {
  FakeWorld world{{.brokers = 2, .policy = "kip-dangling"}};
  const auto& copy = failed_copy(world, 10_MiB);
  world.publish(copy, dangling, publish_dangling);
  for (int i = 0; i < 3; ++i) world.set_gauges({1, 100_MiB});
  // The follower's gauges are removed although its cache holds the copy.
  world.set_gauges({}, broker_2);
  BOOST_TEST(world.broken().empty());
}

BOOST_AUTO_TEST_CASE(metric_equals_cache_lets_a_deleted_topics_gauges_go) {
  FakeWorld world{{.policy = "kip-dangling"}};
  const auto& copy = failed_copy(world, 10_MiB);
  world.publish(copy, dangling, publish_dangling);
  world.set_gauges({1, 100_MiB});
  world.emit(sim::PartitionDeleted{partition_0, broker_1, Offset{100}});
  world.set_gauges({});
  BOOST_TEST(world.broken().empty());
  // What shows them all the same is wrong when it differs.
  world.set_gauges({2, 100_MiB});
  BOOST_TEST(world.broken() == Names{"metric-equals-cache"});
}

// caches-converge

BOOST_AUTO_TEST_CASE(caches_converge_catches_a_replica_that_missed_a_record) {
  FakeWorld world{{.brokers = 2, .policy = "kip-dangling"}};
  const auto& copy = failed_copy(world, 0_MiB);
  world.cache_of(broker_2).handle(make_event(copy, dangling));
  world.invariants.judge_safety_at_end();
  BOOST_TEST(world.broken() == Names{"caches-converge"});
  BOOST_TEST(only_violation(world).subject == "orders-0 on broker 2");
}

BOOST_AUTO_TEST_CASE(caches_converge_waits_for_consumers_and_excuses_dead_brokers) {
  FakeWorld world{{.brokers = 3, .policy = "kip-dangling"}};
  const auto& copy = failed_copy(world, 0_MiB);
  world.cache_of(broker_2).handle(make_event(copy, dangling));
  world.cache_of(BrokerId{3}).handle(make_event(copy, dangling));
  world.lagging.insert(broker_2);
  world.down.insert(BrokerId{3});
  world.invariants.judge_safety_at_end();
  BOOST_TEST(world.broken().empty());
}

// Readings 7 and 4.12: what a broker of two reads of a tagged DANGLING.
BOOST_AUTO_TEST_CASE(caches_converge_holds_an_old_broker_against_what_it_reads) {
  FakeWorld world{two_versions_tagged};
  world.set_policy(broker_2, "kafka-4.0");
  const auto& copy = failed_copy(world, 0_MiB);
  world.publish(copy, dangling, publish_dangling);
  BOOST_REQUIRE(world.cache(broker_2, partition_0).find(copy)->state == delete_segment_started);
  world.invariants.judge_safety_at_end();
  BOOST_TEST(world.broken().empty());
  world.cache_of(broker_2).handle(make_event(copy, delete_segment_finished));
  world.invariants.judge_safety_at_end();
  BOOST_TEST(world.broken() == Names{"caches-converge"});
}

BOOST_AUTO_TEST_CASE(caches_converge_goes_by_the_version_that_a_broker_runs_now) {
  for (const std::string_view policy : {"kafka-4.0", "kip-dangling"}) {
    FakeWorld world{two_versions_tagged};
    const bool knows_dangling = policy == "kip-dangling";
    world.set_policy(broker_2, knows_dangling ? "kafka-4.0" : "kip-dangling");
    const auto& copy = failed_copy(world, 0_MiB);
    world.publish(copy, dangling, publish_dangling);
    world.set_policy(broker_2, policy);
    BOOST_REQUIRE(world.cache(broker_2, partition_0).find(copy)->state ==
                  (knows_dangling ? dangling : delete_segment_started));
    world.invariants.judge_safety_at_end();
    BOOST_TEST(world.broken().empty(), policy);
    // As if its consumer were still the one of the version before.
    world.cache_of(broker_2).handle(make_event(copy, knows_dangling ? delete_segment_started : dangling));
    if (!knows_dangling) world.cache_of(broker_2) = world.cache(broker_1, partition_0);
    world.invariants.judge_safety_at_end();
    BOOST_TEST(world.broken() == Names{"caches-converge"}, policy);
  }
}

// Readings 7.5: state 4 ends an older consumer, so that it never has everything.
BOOST_AUTO_TEST_CASE(caches_converge_catches_an_old_broker_that_reads_on_after_state_4) {
  FakeWorld world{{.brokers = 2, .policy = "kip-dangling"}};
  world.set_policy(broker_2, "kafka-4.0");
  const auto& copy = failed_copy(world, 0_MiB);
  world.publish(copy, dangling, publish_dangling);
  world.invariants.judge_safety_at_end();
  BOOST_TEST(world.broken().empty());
  world.ended.clear();
  world.invariants.judge_safety_at_end();
  BOOST_TEST(world.broken() == Names{"caches-converge"});
}

// bytes-conserved

BOOST_AUTO_TEST_CASE(bytes_conserved_catches_a_store_that_holds_more_than_it_told) {
  FakeWorld world;
  const auto& copy = failed_copy(world, 10_MiB);
  world.stored_of(copy) += Bytes{1};
  world.invariants.judge_safety_at_end();
  BOOST_TEST(world.broken() == Names{"bytes-conserved"});
}

BOOST_AUTO_TEST_CASE(bytes_conserved_is_silent_while_each_byte_is_told) {
  FakeWorld world;
  const auto& copy = failed_copy(world, 10_MiB);
  world.change_bytes(copy, 5_MiB, sim::StoredAs::parts);
  world.remove_all(copy);
  world.invariants.judge_safety_at_end();
  BOOST_TEST(world.broken().empty());
}

// garbage-zero

BOOST_AUTO_TEST_CASE(garbage_zero_catches_what_is_left_when_it_is_judged) {
  FakeWorld world;
  failed_copy(world, 10_MiB);
  BOOST_TEST(world.broken().empty());
  BOOST_TEST(judged(world) == Names{"garbage-zero"});
  BOOST_TEST(only_violation(world).subject == "orders");
}

BOOST_AUTO_TEST_CASE(garbage_zero_forgives_what_is_gone_by_then) {
  FakeWorld world;
  const auto& copy = failed_copy(world, 10_MiB);
  world.remove_all(copy);
  world.publish(copy, delete_segment_started);
  world.publish(copy, delete_segment_finished);
  BOOST_TEST(judged(world).empty());
}

// entries-settle

BOOST_AUTO_TEST_CASE(entries_settle_catches_a_ghost) {
  FakeWorld world;
  failed_copy(world, 0_MiB);
  BOOST_TEST(judged(world) == Names{"entries-settle"});
}

BOOST_AUTO_TEST_CASE(entries_settle_is_silent_while_somebody_works_on_an_entry) {
  FakeWorld world;
  world.uploading(0_offset, 99_offset, 0_MiB);
  BOOST_TEST(judged(world).empty());
}

// copy-lag-zero

BOOST_AUTO_TEST_CASE(copy_lag_zero_catches_a_segment_that_waits_longer_than_two_intervals) {
  FakeWorld world;
  world.roll(100);
  world.lag[partition_0] = 100_MiB;
  world.at(61s);
  BOOST_TEST(judged(world) == Names{"copy-lag-zero"});
}

BOOST_AUTO_TEST_CASE(copy_lag_zero_gives_a_fresh_segment_its_turn) {
  FakeWorld world;
  world.roll(50);
  world.at(60s);
  world.roll(100);
  world.lag[partition_0] = 100_MiB;
  world.at(120s);
  BOOST_TEST(judged(world).empty());
}

// no-task-blocked

BOOST_AUTO_TEST_CASE(no_task_blocked_catches_a_run_that_waits_since_the_faults_ended) {
  FakeWorld world;
  world.waiting = {"copy of orders-0 on broker 1"};
  BOOST_TEST(judged(world) == Names{"no-task-blocked"});
  BOOST_TEST(only_violation(world).subject == "copy of orders-0 on broker 1");
}

BOOST_AUTO_TEST_CASE(no_task_blocked_is_silent_when_nobody_waits) {
  FakeWorld world;
  BOOST_TEST(judged(world).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
