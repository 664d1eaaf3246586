// The model against every golden of tests/conformance, and the runner that compares them: what it reports, and that it
// sees an error in the model.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "model/policies/policies.h"
#include "tests/conformance/runner/comparison.h"

namespace tests::conformance {
namespace {

const std::string folder = FLOTSAM_SOURCE_DIR "/tests/conformance";

constexpr std::string_view small_script = R"(title  Two copies of which one is due
source facts 6.1

topic retention.ms=3600000
log-start 0
segment 200 299 size=1000
active 300
remote A 0 99 size=1000 state=CF ts=999990000000
remote B 100 199 size=1000 state=CF

lead 0
run expiration  # A alone
show all
)";

/// `text` as the only script, with what the model does under 4.0 as Kafka's golden.
struct Example {
  explicit Example(const std::string& text = std::string{small_script}) {
    scripts.push_back({"example", "example.script", text});
  }
  GoldenFile golden() const {
    const Script script = read_script(scripts[0].file, scripts[0].text);
    const std::vector<std::string> lines = ScriptWorld{script, versions()[1]}.run();
    return {"example", "4.0", "example.4.0.golden", fmt::format("# kafka 4.0.2\n{}\n", fmt::join(lines, "\n"))};
  }
  std::vector<ScriptFile> scripts;
};

/// The message that a script with this line in place of `run expiration` ends with.
std::string message_for(const std::string& line) {
  std::string text{small_script};
  const std::string replaced = "run expiration  # A alone";
  text.replace(text.find(replaced), replaced.size(), line);
  try {
    const Script script = read_script("example.script", text);
    (void)ScriptWorld{script, versions()[1]}.run();
  } catch (const ScriptError& error) {
    return to_string(error);
  }
  return {};
}

BOOST_AUTO_TEST_SUITE(conformance)

BOOST_AUTO_TEST_CASE(the_model_does_what_kafka_does) {
  const Comparison comparison = compare(read_scripts(folder), read_goldens(folder), versions());
  BOOST_TEST_MESSAGE(comparison.summary());
  BOOST_TEST(comparison.difference_count == 0, fmt::format("{}", fmt::join(comparison.reports, "\n")));
  BOOST_TEST(comparison.comparison_count > 0);
}

// Each of these errors in the walk or in what surrounds it differs from Kafka in some golden.
BOOST_AUTO_TEST_CASE(a_planted_error_is_seen) {
  const std::vector<ScriptFile> scripts = read_scripts(folder);
  std::vector<GoldenFile> goldens = read_goldens(folder);
  std::erase_if(goldens, [](const GoldenFile& golden) { return golden.version != "4.0"; });
  const struct {
    std::string_view error;
    void (*plant)(model::Rules& rules);
  } plants[] = {
      {"the walk goes on behind a retained copy", [](model::Rules& rules) { rules.walk_stops_early = false; }},
      {"a copy under way does not stop it", [](model::Rules& rules) { rules.skip_segments_being_copied = false; }},
      {"started deletes are not retried", [](model::Rules& rules) { rules.retry_delete_started = false; }},
      {"unfinished copies count", [](model::Rules& rules) { rules.size_filter = model::SizeFilter::all_listed; }},
      {"a copy as old as the limit stays", [](model::Rules& rules) { rules.time_breach_is_strict = true; }},
      {"the last end is the log start", [](model::Rules& rules) { rules.log_start_is_greatest = false; }},
      {"the highest remote offset is not cut", [](model::Rules& rules) { rules.caps_highest_remote_offset = false; }},
      {"the first epoch is strict", [](model::Rules& rules) { rules.lineage_rule = model::LineageRule::strict; }},
      {"expiration seeds", [](model::Rules& rules) { rules.seeds_before_expiration = true; }},
      {"long retention fails", [](model::Rules& rules) { rules.long_retention_fails = true; }},
  };
  for (const auto& [error, plant] : plants) {
    model::Rules rules = model::kafka_4_0_rules;
    plant(rules);
    const auto make = [rules](const model::PolicyOptions& options) {
      return with_rules(model::make_kafka_4_0(options), rules);
    };
    const Version version{"4.0", make, false};
    const Comparison comparison = compare(scripts, goldens, {&version, 1});
    BOOST_TEST(comparison.difference_count > 0, error);
  }
}

BOOST_AUTO_TEST_CASE(an_equal_golden_passes) {
  const Example example;
  const Comparison comparison = compare(example.scripts, {example.golden()}, versions());
  BOOST_TEST(comparison.passes());
  BOOST_TEST(comparison.summary() == "scripts 1, comparisons 1, events 6, differences 0");
}

BOOST_AUTO_TEST_CASE(a_changed_golden_is_reported_with_script_version_and_action) {
  const Example example;
  GoldenFile golden = example.golden();
  golden.text.replace(golden.text.find("store delete A -> ok"), 20, "store delete B -> ok");
  const Comparison comparison = compare(example.scripts, {golden}, versions());
  BOOST_TEST(!comparison.passes());
  BOOST_REQUIRE(comparison.reports.size() == 1u);
  BOOST_TEST(comparison.reports[0] ==
             "example, Kafka 4.0: - Kafka, + model\n"
             "@@ -2 +2 @@ > run expiration\n"
             " > run expiration\n"
             "   log-start 0 -> 100\n"
             "   publish DS A -> ok\n"
             "-  store delete B -> ok\n"
             "+  store delete A -> ok\n"
             "   publish DF A -> ok\n"
             "   end\n"
             " > show all\n");
}

BOOST_AUTO_TEST_CASE(a_golden_with_a_line_less_is_reported) {
  const Example example;
  GoldenFile golden = example.golden();
  const std::string line = "  publish DF A -> ok\n";
  golden.text.erase(golden.text.find(line), line.size());
  BOOST_TEST(compare(example.scripts, {golden}, versions()).difference_count == 1);
}

BOOST_AUTO_TEST_CASE(nothing_compared_is_no_success) {
  const Example example;
  BOOST_TEST(!compare(example.scripts, {}, versions()).passes());
}

BOOST_AUTO_TEST_CASE(a_golden_needs_its_script_and_a_judged_version) {
  const Example example;
  GoldenFile lost = example.golden();
  lost.name = "lost";
  GoldenFile old = example.golden();
  old.version = "3.6";
  const Comparison comparison = compare(example.scripts, {lost, old}, versions());
  BOOST_TEST(comparison.difference_count == 2);
}

BOOST_AUTO_TEST_CASE(a_script_error_names_file_line_and_the_nearest_word) {
  BOOST_TEST(message_for("run expirations") ==
             "example.script:12: 'expirations' is no task (did you mean 'expiration'?)");
  BOOST_TEST(message_for("rum copy").starts_with("example.script:12: 'rum' is no action (did you mean 'run'?)"));
  BOOST_TEST(message_for("show every").starts_with("example.script:12: 'every' is no question (valid: epoch, all"));
  BOOST_TEST(message_for("advance soon") == "example.script:12: 'soon' is no integer (milliseconds)");
  BOOST_TEST(message_for("foreign CF C").starts_with("example.script:12: there is no copy 'C'"));
  BOOST_TEST(message_for("topic retention.m=1") ==
             "example.script:12: 'retention.m' is no configuration here (did you mean 'retention.ms'?)");
  BOOST_TEST(message_for("show log now") == "example.script:12: 'now' is too much");
}

// What a script says and nothing does is an error of the script.
BOOST_AUTO_TEST_CASE(a_script_must_use_what_it_queues_and_end_what_it_starts) {
  BOOST_TEST(message_for("next copy permanent") == "example.script:13: no call took an outcome of copy");
  BOOST_TEST(message_for("start expiration until delete") ==
             "example.script:13: the expiration run still stands at the end");
  BOOST_TEST(message_for("finish copy") == "example.script:12: the copy task stands in no call");
}

// RetriableRemoteStorageException came with 4.2.
BOOST_AUTO_TEST_CASE(an_outcome_that_the_version_lacks_is_an_error) {
  BOOST_TEST(message_for("next copy retriable") ==
             "example.script:12: Kafka 4.0 has no retriable error: give `versions`");
}

BOOST_AUTO_TEST_CASE(a_script_without_a_comparison_is_read_all_the_same) {
  Example example{"title T\nsource S\nsegment 0 99\nactive 100\nlead 0\n"};
  const Comparison comparison = compare(example.scripts, {}, versions());
  BOOST_REQUIRE(comparison.reports.size() == 1u);
  BOOST_TEST(comparison.reports[0] == "example.script:3: size=N is missing\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests::conformance
