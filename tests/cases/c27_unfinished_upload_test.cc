// Case C27 (Aiven-Open/tiered-storage-for-apache-kafka PR 295 and 538): a segment of 100 MiB goes up in parts of 5 MiB,
// one a second, and the broker dies after the twelfth. Its upload's id dies with it.
#include <boost/test/unit_test.hpp>

#include "model/policy.h"
#include "tests/support/case_support.h"

namespace {

using namespace tests;
using namespace sim::literals;
using namespace std::chrono_literals;
using sim::ByteClass;
using sim::Remover;
using sim::time_start;

constexpr std::int64_t twelve_parts = (60_MiB).value();

/// The thirteenth part is half there. `remedies` are lines of that section.
CaseWorld c27(std::string_view remedies = "") {
  CaseWorld world;
  world.topic = "initial.closed = 1\nretention.ms = 3600000\n[remedies]\n" + std::string{remedies};
  world.store = "latency = 0\ndelete.latency = 0\nbandwidth = 5MiB/s\n";
  world.client += "multipart = yes\npart.size = 5MiB\n";
  world.faults = "12550ms,10s,crash,broker:1,\n";
  world.duration = "3h";
  return world;
}

std::int64_t parts_at_end(const CaseRun& run) {
  return run.curve.back().rows.front().totals.of(ByteClass::upload_parts).value();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(case_c27)

// Retention deletes the key, the store says that it did, and the entry has ended; not a byte is free.
BOOST_AUTO_TEST_CASE(a_dead_brokers_parts_outlive_their_entry_under_every_policy) {
  for (const model::PolicyEntry& policy : model::policies()) {
    BOOST_TEST_CONTEXT(policy.name) {
      const CaseRun run = run_case(c27(), policy.name);
      BOOST_TEST(run.garbage_at(time_start + 13s).value() == twelve_parts);
      BOOST_TEST(run.states.starts_with("CS "));
      BOOST_TEST(run.states.ends_with("DS DF | CS CF DS DF"));
      BOOST_TEST(run.result.summary.delete_failures == 0);
      BOOST_TEST(run.garbage_end().value() == twelve_parts);
      BOOST_TEST(parts_at_end(run) == twelve_parts);
      BOOST_TEST(run.result.summary.garbage_bytes_never.value() == twelve_parts);
      BOOST_REQUIRE(run.result.leftovers.size() == 1u);
      BOOST_TEST(run.result.leftovers[0].fault.value() == 0u);
      BOOST_TEST((run.result.leftovers[0].step == sim::TaskStep::copy_upload));
      BOOST_TEST((run.result.leftovers[0].due_by == Remover::none));
    }
  }
}

// Once a day, and only what is old enough then: younger by 13 seconds at the first run of its age.
BOOST_AUTO_TEST_CASE(the_buckets_rule_is_all_that_takes_them) {
  for (const auto& [rule, due] :
       {std::pair{"bucket-rule.days = 1\n", 48h}, std::pair{"bucket-rule.days = 7\n", 24h * 8}}) {
    const CaseRun run = run_case(c27(rule), "kip-dangling");
    BOOST_TEST_CONTEXT(rule) {
      BOOST_TEST(parts_at_end(run) == twelve_parts);
      BOOST_TEST(run.result.summary.garbage_bytes_never.value() == 0);
      BOOST_REQUIRE(run.result.leftovers.size() == 1u);
      BOOST_TEST((run.result.leftovers[0].due_by == Remover::bucket_rule));
      BOOST_TEST((run.result.leftovers[0].due == time_start + due));
    }
  }
}

// The upload fails while its broker lives: the plug-in aborts by the id that it knows, unless that call fails as well.
BOOST_AUTO_TEST_CASE(an_abort_takes_them_and_one_that_fails_leaves_them_for_ever) {
  for (const char* policy : {"kafka-4.0", "kip-dangling", "kip-dangling-recovery"}) {
    BOOST_TEST_CONTEXT(policy) {
      CaseWorld world = c27();
      world.faults = "0s,20s,copy-fail,store,stored=60MiB\n";
      BOOST_TEST(run_case(world, policy).garbage_end().value() == 0);
      world.faults += "0s,30s,store-unavailable,store,operations=delete\n";
      const CaseRun run = run_case(world, policy);
      BOOST_TEST(parts_at_end(run) == twelve_parts);
      BOOST_TEST(run.result.summary.garbage_bytes_never.value() == twelve_parts);
      BOOST_TEST(run.states.ends_with("DF | CS CF DS DF"));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
