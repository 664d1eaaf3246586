// Case C05 (apache/kafka PR 15817, KAFKA-16511): copies that overlap after a leader change, in the reported shape, with
// twenty later ones. Retention takes all of them, whatever their first epoch. Kafka's own judgement of the two copies
// is tests/conformance/case-c05-overlap.
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "sim/faults/faults.h"
#include "sim/run_result.h"
#include "tests/sim/scenario/memory_files.h"
#include "tests/support/world_support.h"

namespace {

using namespace tests;
using namespace std::chrono_literals;

constexpr int later_copies = 20;

Scenario c05() {
  std::string csv =
      "segment_id,start_offset,end_offset,size_bytes,to_state,segment_epochs\n"
      "EREiIjMzRESVVWZmd3eIiA,5,50,1048576,COPY_SEGMENT_FINISHED,5=5 7=15\n"
      "Lz5NXGt6iZintsXU4_IBEA,14,150,1048576,COPY_SEGMENT_FINISHED,5=14 7=15 9=100\n";
  for (int i = 0; i < later_copies; ++i) {
    const int start = 151 + 100 * i;
    csv += fmt::format("MP_u3cy7qpmId2ZVRDM{:02}Q,{},{},1048576,COPY_SEGMENT_FINISHED,9={}\n", i, start, start + 99,
                       start);
  }
  const sim::scenario_test::MemoryFiles files{{{"state.csv", csv}}};
  auto scenario = read_scenario_text(
      "c05.ini", one_broker,
      {"topic.t.initial.closed=0", "topic.t.initial=state.csv", "topic.t.retention.ms=1h", "scenario.duration=3h"},
      sim::fault_kinds(), files);
  BOOST_REQUIRE_MESSAGE(scenario, sim::scenario_test::errors_of(scenario));
  return std::move(*scenario);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(case_c05)

BOOST_AUTO_TEST_CASE(retention_takes_every_copy_whatever_its_first_epoch) {
  for (const std::string_view policy : policy_names()) {
    BOOST_TEST_CONTEXT(policy) {
      TestWorld world{c05(), policy};
      world.run_until(59min);
      BOOST_TEST(world.folded(0) == "CF");
      BOOST_TEST(world.folded(1) == "CF");
      world.run_until(3h);
      BOOST_TEST(world.world.segment_count() == 2u + later_copies);
      for (std::uint32_t copy = 0; copy < world.world.segment_count(); ++copy) {
        BOOST_TEST(world.stored(copy) == "0 0 0 0");
        BOOST_TEST(world.folded(copy) == "");
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(nothing_of_it_is_ever_garbage_or_lost) {
  const Scenario scenario = c05();
  for (const std::string_view policy : policy_names()) {
    const sim::RunResult result = sim::run_world(scenario, policy_choice(policy, scenario), 1, nullptr);
    BOOST_TEST((result.summary.outcome == sim::Outcome::clean), policy);
    BOOST_TEST(result.summary.peak_garbage_bytes == Bytes{0}, policy);
    BOOST_TEST(result.summary.over_deleted_bytes == Bytes{0}, policy);
  }
}

BOOST_AUTO_TEST_SUITE_END()
