// Case C39 (scylladb/scylladb 19532, versity/versitygw 724): one delete in twenty is carried out and its answer lost,
// so that the next one finds nothing there. Some stores answer 404 then, and some clients call that a failure.
#include <boost/test/unit_test.hpp>

#include "model/policy.h"
#include "tests/support/case_support.h"

namespace {

using namespace tests;
using namespace sim::literals;
using namespace std::chrono_literals;
using sim::ByteClass;

/// A hundred copies are due; an unheard delete ends after a second.
CaseWorld c39(std::string_view store, std::string_view client) {
  CaseWorld world;
  world.topic = "initial.finished = 100\ninitial.age = 8d\n";
  world.store += "missing = " + std::string{store} + "\n";
  world.client += "timeout = 1s\ndelete.missing = " + std::string{client} + "\n";
  world.faults = "0s,15m,delete-fail,store,probability=0.05;stored=all;answer=lost\n";
  world.duration = "30m";
  return world;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(case_c39)

BOOST_AUTO_TEST_CASE(where_missing_counts_as_deleted_every_copy_ends) {
  for (const auto& [store, client] : {std::pair{"204", "done"}, std::pair{"204", "error"}, std::pair{"404", "done"}}) {
    for (const model::PolicyEntry& policy : model::policies()) {
      BOOST_TEST_CONTEXT(policy.name << " " << store << " " << client) {
        const CaseRun run = run_case(c39(store, client), policy.name);
        BOOST_TEST(run.result.summary.delete_failures > 0);
        BOOST_TEST(run.curve.back().rows.front().totals.stored().value() == 0);
        BOOST_TEST(run.result.summary.ghosts_end == 0);
        std::size_t finished = 0;
        for (auto at = run.states.find("DF"); at != std::string::npos; at = run.states.find("DF", at + 1)) ++finished;
        BOOST_TEST(finished == 100u);
      }
    }
  }
}

// The first such copy is an entry without a byte behind it that stays for ever, and ends every walk before what comes
// after it (F8).
BOOST_AUTO_TEST_CASE(where_it_is_an_error_one_ghost_stops_the_partition) {
  for (const model::PolicyEntry& policy : model::policies()) {
    BOOST_TEST_CONTEXT(policy.name) {
      const CaseRun run = run_case(c39("404", "error"), policy.name);
      BOOST_TEST(run.garbage_end().value() == 0);
      BOOST_TEST(run.result.summary.ghosts_end == 1);
      BOOST_TEST(run.curve.back().rows.front().totals.of(ByteClass::expired).value() > (50_MiB).value());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
