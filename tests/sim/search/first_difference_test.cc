// Where two runs part, against whole traces in memory.
#include "sim/search/first_difference.h"

#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "sim/run.h"
#include "tests/support/world_support.h"

namespace tests {
namespace {

class Kept final : public sim::RunListener {
 public:
  void record(const TraceRecord& record) override { lines.push_back(sim::describe(record)); }
  std::vector<std::string> lines;
};

std::vector<std::string> trace_of(const Scenario& scenario, std::string_view policy, std::uint64_t seed) {
  Kept kept;
  (void)sim::run_world(scenario, policy_choice(policy, scenario), seed, &kept);
  return kept.lines;
}

std::optional<sim::Difference> compare(const Scenario& a, std::string_view policy_a, const Scenario& b,
                                       std::string_view policy_b, std::uint64_t seed_b = 1) {
  const sim::PolicyChoice one = policy_choice(policy_a, a);
  const sim::PolicyChoice other = policy_choice(policy_b, b);
  return sim::first_difference({a, one, 1}, {b, other, seed_b});
}

BOOST_AUTO_TEST_SUITE(first_difference_of_runs)

BOOST_AUTO_TEST_CASE(a_run_does_not_differ_from_itself) {
  const Scenario scenario = read_catalogue("partial-uploads");
  BOOST_TEST(!compare(scenario, "kip-dangling", scenario, "kip-dangling").has_value());
}

BOOST_AUTO_TEST_CASE(two_policies_part_where_their_whole_traces_do) {
  const Scenario scenario = read_catalogue("partial-uploads");
  const auto ours = trace_of(scenario, "kafka-4.0", 1);
  const auto theirs = trace_of(scenario, "kip-dangling", 1);
  const auto at = static_cast<std::size_t>(std::mismatch(ours.begin(), ours.end(), theirs.begin(), theirs.end()).first -
                                           ours.begin());
  const auto difference = compare(scenario, "kafka-4.0", scenario, "kip-dangling");
  BOOST_REQUIRE(difference.has_value());
  BOOST_TEST(difference->event == at + 1);
  const auto slice = [](const std::vector<std::string>& lines, std::size_t from, std::size_t to) {
    return std::vector<std::string>(lines.begin() + static_cast<std::ptrdiff_t>(from),
                                    lines.begin() + static_cast<std::ptrdiff_t>(to));
  };
  constexpr std::size_t count = sim::difference_context;
  BOOST_TEST(difference->before == slice(ours, at - count, at), boost::test_tools::per_element());
  BOOST_TEST(difference->first == slice(ours, at, at + count), boost::test_tools::per_element());
  BOOST_TEST(difference->second == slice(theirs, at, at + count), boost::test_tools::per_element());
  // The field is what its two lines show, and all before it in the line is the same.
  const std::size_t field = ours[at].find(" " + difference->field + "=");
  if (difference->field != "kind" && difference->field != "time") {
    BOOST_REQUIRE(field != std::string::npos);
    BOOST_TEST(ours[at].substr(0, field) == theirs[at].substr(0, field));
  }
}

BOOST_AUTO_TEST_CASE(another_answer_time_is_named_by_its_field) {
  // The first copy's first object of one_broker lands at 1050 ms, or a millisecond later.
  const auto difference =
      compare(read_world(one_broker), "kafka-4.0", read_world(one_broker, {}, {"store.latency=1ms"}), "kafka-4.0");
  BOOST_REQUIRE(difference.has_value());
  BOOST_TEST(difference->field == "time");
  BOOST_TEST(difference->first.front().find("1.051s") == std::string::npos);
  BOOST_TEST(difference->second.front().find("1.051s") != std::string::npos, difference->second.front());
}

BOOST_AUTO_TEST_CASE(a_run_that_ends_earlier_differs_at_its_end) {
  const Scenario whole = read_world(one_broker, {}, {"topic.t.produce=1KiB/s"});
  const Scenario half = read_world(one_broker, {}, {"topic.t.produce=1KiB/s", "scenario.duration=1h"});
  const auto difference = compare(whole, "kafka-4.0", half, "kafka-4.0");
  BOOST_REQUIRE(difference.has_value());
  BOOST_TEST(difference->field == "end");
  BOOST_TEST(!difference->first.empty());
  BOOST_TEST(difference->second.empty());
  BOOST_TEST(sim::describe(*difference, "a", "b").find("(no event)") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
