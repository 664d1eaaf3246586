#include <boost/test/unit_test.hpp>

#include "sim/run_result.h"
#include "tests/support/world_support.h"

// What operators add from outside: a bucket rule for unfinished uploads (case C27) and a scrubber (case C50).

BOOST_AUTO_TEST_SUITE(remedies)

using namespace tests;

/// `60000 log unnamed waiting`, with `!` before a false alarm: what was found, in milliseconds.
std::string findings(const TestWorld& world) {
  std::string text;
  for (const auto& [time, event] : world.all<sim::RemedyActed>()) {
    text += fmt::format("{}{}{} {} {} {}", text.empty() ? "" : ", ", event.false_alarm ? "!" : "",
                        time.time_since_epoch().count() / 1'000, to_string(event.object), to_string(event.finding),
                        to_string(event.action));
  }
  return text;
}

// In the world of one_broker a crash at 1 s leaves 950 ms of a MiB a second as parts of 64 KiB: fifteen whole ones.
constexpr const char* dead_uploader = "1s,1m,crash,broker:1,\n";

BOOST_AUTO_TEST_CASE(without_a_rule_unfinished_uploads_stay) {
  TestWorld world{
      one_broker, dead_uploader, {"client.multipart=yes", "client.part.size=64KiB", "scenario.duration=10d"}};
  world.run_until(240h);
  BOOST_TEST(world.parts(0) == "983040 0 0 0");
}

BOOST_AUTO_TEST_CASE(the_bucket_rule_aborts_unfinished_uploads_of_its_age_once_a_day) {
  // Not yet a day old at the run of the first day; the rule begins at noon in the second world.
  for (const auto& [from, run] : {std::pair{"0s", 48h}, std::pair{"12h", 36h}}) {
    TestWorld world{one_broker,
                    dead_uploader,
                    {"client.multipart=yes", "client.part.size=64KiB", "scenario.duration=3d",
                     "remedies.bucket-rule.days=1", "remedies.bucket-rule.from=" + std::string{from}}};
    world.run_until(run - 1us);
    BOOST_TEST(world.parts(0) == "983040 0 0 0", from);
    world.run_until(run);
    BOOST_TEST(world.parts(0) == "0 0 0 0", from);
    BOOST_TEST(findings(world).ends_with("log unfinished-upload removed"), from);
  }
}

BOOST_AUTO_TEST_CASE(the_bucket_rule_leaves_objects_and_what_an_abort_took_alone) {
  TestWorld world{
      one_broker,
      "500ms,1s,store-unavailable,store,operations=put\n",
      {"client.multipart=yes", "client.part.size=64KiB", "scenario.duration=4d", "remedies.bucket-rule.days=1"}};
  world.run_until(72h);
  BOOST_TEST(findings(world) == "");
  BOOST_TEST(world.stored(1) == "1048576 262144 65536 65536");
}

/// The result of a whole run of one_broker.
sim::RunResult run_one(const char* plan, const std::vector<std::string>& sets, const char* policy) {
  const Scenario scenario = read_world(one_broker, plan, sets);
  return sim::run_world(scenario, policy_choice(policy, scenario), 1);
}

BOOST_AUTO_TEST_CASE(leftovers_tell_that_the_bucket_rule_took_them_or_when_it_will) {
  constexpr Bytes left{983'040};
  const auto after = [](const char* duration, const char* days) {
    return run_one(dead_uploader,
                   {"client.multipart=yes", "client.part.size=64KiB", "scenario.duration=" + std::string{duration},
                    "remedies.bucket-rule.days=" + std::string{days}},
                   "kafka-4.0");
  };
  const sim::RunResult none = after("30h", "0");
  BOOST_TEST(none.summary.garbage_bytes_never == left);

  const sim::RunResult waits = after("30h", "1");
  BOOST_REQUIRE(waits.leftovers.size() == 1u);
  BOOST_TEST(waits.leftovers[0].bytes == left);
  BOOST_TEST((waits.leftovers[0].due_by == sim::Remover::bucket_rule));
  BOOST_TEST(waits.leftovers[0].due.value() == SimTime{48h});
  BOOST_TEST(waits.summary.garbage_bytes_never == Bytes{0});
  BOOST_TEST(waits.summary.last_due.value() == SimTime{48h});

  const sim::RunResult gone = after("50h", "1");
  BOOST_TEST(gone.summary.garbage_bytes_end == Bytes{0});
  BOOST_REQUIRE(gone.leftovers.size() == 1u);
  BOOST_TEST(gone.leftovers[0].reclaimed.value() == SimTime{48h});
  BOOST_TEST((gone.leftovers[0].reclaimed_by == sim::Remover::bucket_rule));
  BOOST_TEST(gone.leftovers[0].fault.value() == 0u);
}

// In the world of one_broker the first copy's log lands late, at 5.05 s, after its deletion.
constexpr const char* late = "0s,10s,late-write,store,delay=5s\n";

BOOST_AUTO_TEST_CASE(the_scrubber_removes_what_nobody_names_after_its_grace_time) {
  TestWorld world{one_broker, late, {"remedies.scrubber.every=1m", "remedies.scrubber.grace=2m"}};
  world.run_until(180s - 1us);
  BOOST_TEST(world.stored(0) == "1048576 0 0 0");
  world.run_until(2h);
  BOOST_TEST(world.stored(0) == "0 0 0 0");
  BOOST_TEST(findings(world) == "60000 log unnamed waiting, 180000 log unnamed removed");
  BOOST_TEST(world.stored(1) == "1048576 262144 65536 65536");
}

BOOST_AUTO_TEST_CASE(the_scrubber_goes_on_where_its_quota_ended) {
  // Two objects land late; one scrub has one listing and one delete.
  TestWorld world{one_broker,
                  "0s,10s,copy-fail,store,stored=producer-snapshot\n0s,1m,delete-no-effect,store,\n",
                  {"remedies.scrubber.every=10m", "remedies.scrubber.grace=0s", "remedies.scrubber.requests=2",
                   "remedies.scrubber.from=10m"}};
  world.run_until(1h);
  BOOST_TEST(findings(world) ==
             "600000 log unnamed removed, 600000 indexes unnamed quota, 1200000 indexes unnamed removed");
  BOOST_TEST(world.stored(0) == "0 0 0 0");
}

BOOST_AUTO_TEST_CASE(a_refused_listing_or_delete_waits_for_the_next_scrub) {
  for (const auto& [operations, text] :
       {std::pair{"list", "120000 log unnamed removed"},
        std::pair{"delete", "60000 log unnamed refused, 120000 log unnamed removed"}}) {
    TestWorld world{one_broker,
                    fmt::format("{}50s,20s,store-unavailable,store,operations={}\n", late, operations),
                    {"remedies.scrubber.every=1m", "remedies.scrubber.grace=0s"}};
    world.run_until(5min);
    BOOST_TEST(findings(world) == text, operations);
    BOOST_TEST(world.hits(1) == 1u, operations);
  }
}

BOOST_AUTO_TEST_CASE(a_scrubber_is_lied_to_by_a_store_whose_deletes_have_no_effect) {
  TestWorld world{one_broker,
                  std::string{late} + "50s,20s,delete-no-effect,store,\n",
                  {"remedies.scrubber.every=1m", "remedies.scrubber.grace=0s"}};
  world.run_until(119s);
  BOOST_TEST(world.stored(0) == "1048576 0 0 0");
  world.run_until(5min);
  BOOST_TEST(findings(world) == "60000 log unnamed removed, 120000 log unnamed removed");
}

// Case C50: it must leave alone what is younger than its view of the metadata is old.
BOOST_AUTO_TEST_CASE(an_old_view_of_the_metadata_and_no_grace_delete_what_is_named) {
  TestWorld world{
      one_broker, "", {"remedies.scrubber.every=1m", "remedies.scrubber.grace=0s", "remedies.scrubber.view.age=1h"}};
  world.run_until(60s);
  BOOST_TEST(world.folded(0) == "CF");
  BOOST_TEST(world.stored(0) == "0 0 0 0");
  BOOST_TEST(findings(world).starts_with("!60000 log unnamed removed"));

  TestWorld with_grace{
      one_broker, "", {"remedies.scrubber.every=1m", "remedies.scrubber.grace=61m", "remedies.scrubber.view.age=1h"}};
  with_grace.run_until(2h);
  BOOST_TEST(with_grace.stored(0) == "1048576 262144 65536 65536");
  BOOST_TEST(findings(with_grace).starts_with("!60000 log unnamed waiting"));
  BOOST_TEST(findings(with_grace).find("removed") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_stale_listing_shows_what_is_gone_and_misses_what_has_come) {
  // At 60 s it shows 1.4 s: the failed copy's first three objects, which are deleted at 1.475 s.
  TestWorld gone{one_broker,
                 "0s,1500ms,copy-fail,store,stored=all\n0s,90s,stale-listing,store,age=58600ms\n",
                 {"remedies.scrubber.every=1m", "remedies.scrubber.grace=0s"}};
  gone.run_until(60s);
  BOOST_TEST(
      findings(gone).starts_with("!60000 log unnamed removed, !60000 indexes unnamed removed, "
                                 "!60000 producer-snapshot unnamed removed"));
  BOOST_TEST(gone.stored(0) == "0 0 0 0");
  BOOST_TEST(gone.hits(1) >= 3u);

  // And at 60 s nothing that came after 1 s.
  TestWorld come{one_broker, "0s,90s,stale-listing,store,age=59s\n", {"remedies.scrubber.every=1m"}};
  come.run_until(60s);
  BOOST_TEST(findings(come).starts_with("!60000 log missing reported, !60000 indexes missing reported"));
  BOOST_TEST(come.stored(0) == "1048576 262144 65536 65536");
}

BOOST_AUTO_TEST_CASE(the_scrubber_takes_what_a_topics_deletion_left) {
  TestWorld world{one_broker,
                  "1m,,topic-delete,topic:t,\n30s,5m,delete-fail,store,\n",
                  {"remedies.scrubber.every=10m", "remedies.scrubber.grace=0s"}};
  world.run_until(10min - 1us);
  BOOST_TEST(world.stored(0) == "1048576 262144 65536 65536");
  world.run_until(10min);
  BOOST_TEST(world.stored(0) == "0 0 0 0");
}

BOOST_AUTO_TEST_CASE(leftovers_tell_when_the_scrubber_saw_them_and_took_them_or_will) {
  const auto after = [](const char* duration) {
    return run_one(
        late,
        {"remedies.scrubber.every=8m", "remedies.scrubber.grace=9m", "scenario.duration=" + std::string{duration}},
        "kip-dangling");
  };
  const sim::RunResult waits = after("12m");
  BOOST_REQUIRE(waits.leftovers.size() == 1u);
  BOOST_TEST(waits.leftovers[0].became_garbage == SimTime{5'050ms});
  BOOST_TEST(waits.leftovers[0].seen.value() == SimTime{8min});
  BOOST_TEST((waits.leftovers[0].due_by == sim::Remover::scrubber));
  BOOST_TEST(waits.leftovers[0].due.value() == SimTime{16min});
  BOOST_TEST(waits.summary.garbage_bytes_never == Bytes{0});

  const sim::RunResult gone = after("20m");
  BOOST_TEST(gone.summary.garbage_bytes_end == Bytes{0});
  BOOST_REQUIRE(gone.leftovers.size() == 1u);
  BOOST_TEST(gone.leftovers[0].reclaimed.value() == SimTime{16min});
  BOOST_TEST((gone.leftovers[0].reclaimed_by == sim::Remover::scrubber));
  BOOST_TEST(gone.leftovers[0].fault.value() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
