// Case C13 (apache/kafka PR 21049, KAFKA-19952) as the catalogue has it: a segment of 10 MiB a minute, local retention
// of ten minutes, retention of twenty, and no upload from the 20th to the 80th minute.
#include <algorithm>
#include <set>

#include <boost/test/unit_test.hpp>

#include "sim/run_result.h"
#include "tests/support/world_support.h"

namespace {

using namespace tests;
using namespace std::chrono_literals;

constexpr SimTime denied_until{80min};
constexpr std::int64_t segment = std::int64_t{10} << 20;

/// What waits on the local disk, and the uploads that retention had overtaken.
class Reader final : public sim::RunListener {
 public:
  void record(const TraceRecord& record) override {
    const auto* transition = std::get_if<sim::Transition>(&record.event);
    if (transition == nullptr) return;
    const std::uint32_t copy = transition->segment->number;
    if (transition->to == model::RemoteLogSegmentState::copy_segment_finished && record.time >= denied_until &&
        transition->segment->max_timestamp + 20min <= record.time) {
      wasted.insert(copy);
    }
    if (transition->to == model::RemoteLogSegmentState::delete_segment_finished && wasted.contains(copy)) {
      last_deleted = record.time;
      ++deleted;
    }
  }
  void curve(const sim::CurvePoint& point) override {
    if (point.time < denied_until) backlog = point.rows.front().copy_lag;
    ghosts = std::max(ghosts, point.rows.front().totals.ghost_count);
  }
  Bytes backlog;
  std::int64_t ghosts = 0;
  std::set<std::uint32_t> wasted;
  std::size_t deleted = 0;
  SimTime last_deleted;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(case_c13)

BOOST_AUTO_TEST_CASE(the_disk_holds_an_hour_and_forty_uploads_are_for_nothing) {
  const Scenario scenario = read_catalogue("uploads-denied");
  for (const std::string_view policy : {"kafka-4.0", "kafka-4.3", "kip-dangling", "kip-dangling-recovery"}) {
    BOOST_TEST_CONTEXT(policy) {
      Reader reader;
      const sim::RunResult result = sim::run_world(scenario, policy_choice(policy, scenario), 1, &reader);
      BOOST_TEST(reader.backlog.value() >= 59 * segment);
      BOOST_TEST(reader.backlog.value() <= 61 * segment);
      BOOST_TEST(reader.wasted.size() >= 39u);
      BOOST_TEST(reader.wasted.size() <= 41u);
      BOOST_TEST(reader.deleted == reader.wasted.size());
      BOOST_TEST((reader.last_deleted < denied_until + 2min));
      BOOST_TEST(result.summary.garbage_bytes_end == Bytes{0});
      BOOST_TEST(result.summary.over_deleted_bytes == Bytes{0});
    }
  }
}

// F10: up to 3.9 each failed attempt leaves an entry, and the entry that is due first takes the log start past what was
// never uploaded. All of that is past retention, so that it is no loss; 3.9 lets the local segments go with it.
BOOST_AUTO_TEST_CASE(up_to_3_9_the_entries_of_failed_copies_end_what_is_past_retention) {
  const Scenario scenario = read_catalogue("uploads-denied");
  for (const std::string_view policy : {"kafka-3.6", "kafka-3.9"}) {
    BOOST_TEST_CONTEXT(policy) {
      Reader reader;
      const sim::RunResult result = sim::run_world(scenario, policy_choice(policy, scenario), 1, &reader);
      BOOST_TEST(reader.ghosts > 30);
      BOOST_TEST(reader.wasted.size() <= 1u);
      BOOST_TEST(result.summary.over_deleted_bytes == Bytes{0});
      BOOST_TEST(result.summary.garbage_bytes_end == Bytes{0});
      const std::int64_t most = policy == "kafka-3.9" ? 27 : 61;
      BOOST_TEST(reader.backlog.value() <= most * segment);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
