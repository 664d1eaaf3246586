#include "sim/scenario/fault_plan.h"

#include <boost/test/unit_test.hpp>

#include "tests/sim/scenario/memory_files.h"

namespace sim {
namespace {

using namespace scenario_test;

BOOST_AUTO_TEST_SUITE(fault_plan)

BOOST_AUTO_TEST_CASE(a_row_is_read_with_its_defaults) {
  const auto scenario = read_with_plan(header + "10m,20m,store-unavailable,store,mode=hang\n");
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  const FaultRow& row = scenario->faults.at(0);
  BOOST_TEST((row.start == SimTime{10min}));
  BOOST_TEST((row.duration == Duration{20min}));
  BOOST_TEST(row.param("operations") == "put+get+delete+list");
  BOOST_TEST(row.param("mode") == "hang");
  BOOST_TEST(row.line == 2);
}

BOOST_AUTO_TEST_CASE(a_header_without_rows_is_a_world_without_faults) {
  const auto scenario = read_with_plan(header);
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST(scenario->faults.empty());
}

BOOST_AUTO_TEST_CASE(comments_empty_lines_a_mark_and_any_order_of_columns_are_accepted) {
  const auto scenario = read_with_plan(
      "\xef\xbb\xbf# why\r\n\r\nkind,target,start,duration,params,every,name\r\n  \r\n"
      "crash, broker:2 ,10m,1m,,30m,bounce");
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST(scenario->faults.at(0).name == "bounce");
  BOOST_TEST((scenario->faults.at(0).every == Duration{30min}));
  BOOST_TEST(scenario->faults.at(0).line == 5);
}

BOOST_AUTO_TEST_CASE(an_empty_duration_lasts_to_the_end) {
  const auto scenario = read_with_plan(header + "10m,,crash,broker:1,\n");
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST(!scenario->faults.at(0).duration.has_value());
}

BOOST_AUTO_TEST_CASE(a_missing_file_and_a_missing_header_are_errors) {
  CHECK_COMPLAINT(
      read("[scenario]\nfaults = gone.csv\nduration = 2h\n[cluster]\nbrokers = 1\n[topic.a]\npartitions = 1\n"),
      "world.ini:2: [scenario] faults: 'gone.csv': no such file");
  CHECK_COMPLAINT(read_with_plan(""), "plan.csv", "the header is missing");
}

BOOST_AUTO_TEST_CASE(a_missing_an_unknown_and_a_doubled_column_are_errors) {
  CHECK_COMPLAINT(read_with_plan("start,duration,target,params\n"), "plan.csv:1: the header lacks the column 'kind'");
  CHECK_COMPLAINT(read_with_plan("start,duration,kind,target,parms\n"),
                  "plan.csv:1: unknown column 'parms' (did you mean 'params'?)");
  CHECK_COMPLAINT(read_with_plan("start,start,duration,kind,target,params\n"),
                  "plan.csv:1: the header has the column 'start' twice");
}

BOOST_AUTO_TEST_CASE(too_many_and_too_few_fields_are_errors) {
  CHECK_COMPLAINT(read_with_plan(header + "1m,1m,crash,broker:1,,x\n"),
                  "plan.csv:2: more fields than the header has columns");
  CHECK_COMPLAINT(read_with_plan(header + "1m,1m,crash\n"), "plan.csv:2: fewer fields than the header has columns");
}

BOOST_AUTO_TEST_CASE(a_quoted_newline_is_an_error) {
  CHECK_COMPLAINT(read_with_plan(header + "1m,1m,\"crash\n\",broker:1,\n"),
                  "plan.csv:2: a quoted field does not end on its line");
}

BOOST_AUTO_TEST_CASE(a_nul_byte_and_a_line_over_one_mebibyte_are_errors_in_a_plan_too) {
  CHECK_COMPLAINT(read_with_plan(header + std::string{"1m\0,1m\n", 7}), "plan.csv:2: a NUL byte");
  CHECK_COMPLAINT(read_with_plan(header + std::string((1 << 20) + 1, 'x')),
                  "plan.csv:2: the line is longer than 1 MiB");
}

BOOST_AUTO_TEST_CASE(an_unknown_fault_kind_is_named_with_the_nearest) {
  CHECK_COMPLAINT(read_with_plan(header + "1m,1m,store-unavailible,store,\n"),
                  "plan.csv:2: unknown fault kind 'store-unavailible' (did you mean 'store-unavailable'?)");
}

BOOST_AUTO_TEST_CASE(an_unknown_target_topic_broker_or_partition_is_named) {
  CHECK_COMPLAINT(read_with_plan(header + "1m,1m,crash,topic:order,\n"),
                  "plan.csv:2: target: unknown topic 'order' (did you mean 'orders'?)");
  CHECK_COMPLAINT(read_with_plan(header + "1m,1m,crash,broker:4,\n"),
                  "plan.csv:2: target: unknown broker '4' (valid: 1 to 3)");
  CHECK_COMPLAINT(read_with_plan(header + "1m,1m,crash,partition:orders-4,\n"),
                  "plan.csv:2: target: unknown partition of orders '4'");
  CHECK_COMPLAINT(read_with_plan(header + "1m,1m,crash,brokr:1,\n"),
                  "plan.csv:2: target: unknown target 'brokr:1' (did you mean 'broker'?)");
  CHECK_COMPLAINT(read_with_plan(header + "1m,1m,crash,,\n"), "plan.csv:2: target: the target is empty");
}

BOOST_AUTO_TEST_CASE(a_kind_takes_its_own_targets_only) {
  CHECK_COMPLAINT(read_with_plan(header + "1m,1m,crash,store,\n"), "plan.csv:2: target: 'crash' does not take 'store'",
                  "broker:ID");
  CHECK_COMPLAINT(read_with_plan(header + "1m,1m,crash,broker:1>store,\n"),
                  "plan.csv:2: target: 'crash' does not take 'broker:1>store'");
  CHECK_COMPLAINT(read_with_plan(header + "1m,1m,partition,topic:orders>store,\n"),
                  "plan.csv:2: target:", "a link is between");
}

BOOST_AUTO_TEST_CASE(targets_and_links_are_understood) {
  const auto scenario =
      read_with_plan(header +
                     "1m,1m,partition,store>broker:1+broker:2,\n2m,1m,partition,broker:1<>metadata-of:orders-3,\n"
                     "9m,1m,crash,broker:1+metadata:7+*,\n");
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  const Target& lost_answers = scenario->faults.at(0).target;
  BOOST_TEST((lost_answers.is_link && !lost_answers.both_ways));
  BOOST_TEST((lost_answers.from.at(0).kind == TargetKind::store));
  BOOST_TEST((lost_answers.to.at(1).broker == BrokerId{2}));
  BOOST_TEST(scenario->faults.at(1).target.both_ways);
  BOOST_TEST(scenario->faults.at(1).target.to.at(0).partition == 3);
  BOOST_TEST((scenario->faults.at(2).target.from.at(1).metadata_partition == MetadataPartition{7}));
}

BOOST_AUTO_TEST_CASE(parameters_are_checked_by_their_type) {
  const auto with = [](const std::string& params) {
    return read_with_plan(header + "1m,1m,store-reject,store," + params + "\n");
  };
  BOOST_TEST(with("\"probability=1/3;stored=indexes;delay=uniform(1s,2s);rate=1MiB/s\"").has_value());
  CHECK_COMPLAINT(with("probabilty=0.1"),
                  "plan.csv:2: unknown parameter 'probabilty' of 'store-reject' (did you mean 'probability'?)");
  CHECK_COMPLAINT(with("probability=1.5"), "plan.csv:2: probability: '1.5' is out of range: at most 1");
  CHECK_COMPLAINT(with("stored=5"), "plan.csv:2: 'store-reject' needs the parameter probability",
                  "stored: '5': a number without a unit");
  CHECK_COMPLAINT(with("probability=1;stored=indices"), "plan.csv:2: stored: 'indices'", "'indexes'");
  CHECK_COMPLAINT(with("probability"), "plan.csv:2: no parameter: 'probability'");
  CHECK_COMPLAINT(with("probability=1;probability=1"), "plan.csv:2: parameter 'probability' stands twice");
}

BOOST_AUTO_TEST_CASE(operations_and_words_are_checked) {
  CHECK_COMPLAINT(read_with_plan(header + "1m,1m,store-unavailable,store,operations=put+delet\n"),
                  "plan.csv:2: operations: unknown operation 'delet'", "'delete'");
  CHECK_COMPLAINT(read_with_plan(header + "1m,1m,store-unavailable,store,mode=hangs\n"), "plan.csv:2: mode: 'hangs'",
                  "'hang'");
  CHECK_COMPLAINT(read_with_plan(header + "1m,1m,crash,broker:1,a=1\n"),
                  "plan.csv:2: unknown parameter 'a' of 'crash' (it takes none)");
}

BOOST_AUTO_TEST_CASE(a_negative_and_an_empty_time_are_errors) {
  CHECK_COMPLAINT(read_with_plan(header + "-1m,1m,crash,broker:1,\n"), "plan.csv:2: start: '-1m': negative");
  CHECK_COMPLAINT(read_with_plan(header + "1m,-1m,crash,broker:1,\n"), "plan.csv:2: duration: '-1m': negative");
  CHECK_COMPLAINT(read_with_plan(header + "1m,0,crash,broker:1,\n"), "plan.csv:2: duration: '0' is out of range");
  CHECK_COMPLAINT(read_with_plan(header + ",1m,crash,broker:1,\n"), "plan.csv:2: start: '': write 250us");
  CHECK_COMPLAINT(read_with_plan(header + "1m,1m,leader-move,broker:1,\n"),
                  "plan.csv:2: 'leader-move' happens at an instant");
}

BOOST_AUTO_TEST_CASE(rows_that_contradict_each_other_are_an_error_with_both_lines) {
  CHECK_COMPLAINT(read_with_plan(header + "10m,10m,crash,broker:1,\n15m,10m,crash,*,\n"),
                  "plan.csv:3: 'crash' contradicts line 2");
  CHECK_COMPLAINT(read_with_plan(header + "10m,,crash,broker:1,\n90m,1m,crash,broker:1+broker:2,\n"),
                  "plan.csv:3: 'crash' contradicts line 2");
  CHECK_COMPLAINT(read_with_plan(header + "1m,5m,partition,broker:1<>store,\n2m,1m,partition,store>broker:1,\n"),
                  "plan.csv:3: 'partition' contradicts line 2");
  CHECK_COMPLAINT(read_with_plan(header + "1m,5m,crash,topic:orders,\n2m,1m,crash,partition:orders-1,\n"),
                  "plan.csv:3: 'crash' contradicts line 2");
}

BOOST_AUTO_TEST_CASE(rows_that_only_look_alike_do_not_contradict) {
  const auto fine = [](const std::string& rows) { return read_with_plan(header + rows); };
  BOOST_TEST(fine("10m,10m,crash,broker:1,\n20m,10m,crash,broker:1,\n").has_value());
  BOOST_TEST(fine("10m,10m,crash,broker:1,\n10m,10m,crash,broker:2,\n").has_value());
  BOOST_TEST(fine("1m,5m,partition,broker:1>store,\n1m,5m,partition,store>broker:1,\n").has_value());
  BOOST_TEST(fine("1m,5m,store-unavailable,store,operations=put\n1m,5m,store-unavailable,store,operations=delete\n")
                 .has_value());
  BOOST_TEST(fine("1m,5m,store-reject,store,probability=0.1\n1m,5m,store-reject,store,probability=0.2\n").has_value());
  BOOST_TEST(fine("1m,,leader-move,topic:orders,\n1m,,leader-move,partition:orders-1,\n").has_value());
}

BOOST_AUTO_TEST_CASE(repeated_rows_are_compared_at_every_repetition) {
  const std::string columns = "start,duration,kind,target,params,every\n";
  CHECK_COMPLAINT(
      read_with_plan(columns + "0,1m,crash,broker:1,,10m\n51m,1m,crash,broker:1,,\n50m30s,1s,crash,broker:1,,\n"),
      "plan.csv:4: 'crash' contradicts line 2");
  BOOST_TEST(read_with_plan(columns + "0,1m,crash,broker:1,,10m\n5m,1m,crash,broker:1,,10m\n").has_value());
  CHECK_COMPLAINT(read_with_plan(columns + "0,2m,crash,broker:1,,1m\n"),
                  "plan.csv:2: every: 1m is shorter than the fault's duration 2m");
  CHECK_COMPLAINT(read_with_plan(columns + "0,,crash,broker:1,,1m\n"),
                  "plan.csv:2: every: a repeated fault needs a duration");
  CHECK_COMPLAINT(read_with_plan(columns + "0,1us,crash,broker:1,,1us\n"),
                  "plan.csv:2: every: the plan repeats its faults more than");
}

BOOST_AUTO_TEST_CASE(a_world_too_short_to_settle_names_the_least_duration) {
  CHECK_COMPLAINT(read_with_plan(header + "1m,118m,crash,broker:1,\n"),
                  "world.ini:3: [scenario] duration: 2h is too short", "plan.csv:2 ends at 1h59m", "at least 2h4m");
  CHECK_COMPLAINT(read_with_plan(header + "119m,,crash,broker:1,\n"),
                  "world.ini:3: [scenario] duration: 2h is too short");
  BOOST_TEST(read_with_plan(header + "1m,114m,crash,broker:1,\n").has_value());
}

BOOST_AUTO_TEST_CASE(a_repeated_fault_repeats_while_it_ends_in_time) {
  FaultRow row;
  row.start = SimTime{10min};
  row.duration = 5min;
  row.every = 30min;
  BOOST_TEST(occurrence_count(row, SimTime{75min}) == 3);
  BOOST_TEST(occurrence_count(row, SimTime{75min} - 1us) == 2);
}

BOOST_AUTO_TEST_CASE(a_named_row_is_changed_by_keys_and_sets) {
  const std::string plan = "start,duration,kind,target,params,name\n1m,1m,store-unavailable,store,,out.age\n";
  const auto scenario = read_with_plan(plan, {"fault.out.age.start=7m", "fault.out.age.operations=put"},
                                       "[fault.out.age]\nmode = hang\n");
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST((scenario->faults.at(0).start == SimTime{7min}));
  BOOST_TEST(scenario->faults.at(0).param("mode") == "hang");
  BOOST_TEST(scenario->faults.at(0).param("operations") == "put");
  CHECK_COMPLAINT(read_with_plan(plan, {"fault.outage.start=7m"}),
                  "--set: unknown fault 'outage' (did you mean 'out.age'?)");
  CHECK_COMPLAINT(read_with_plan(plan, {}, "[fault.out.age]\nmod = hang\n"), "world.ini:9: unknown parameter 'mod'");
}

BOOST_AUTO_TEST_CASE(a_plan_uses_the_scenarios_variables) {
  const auto scenario = read_with_plan(header + "${from},1m,crash,broker:1,\n", {}, "[vars]\nfrom = 3m\n");
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST((scenario->faults.at(0).start == SimTime{3min}));
  CHECK_COMPLAINT(read_with_plan(header + "${form},1m,crash,broker:1,\n", {}, "[vars]\nfrom = 3m\n"),
                  "plan.csv:2: unknown variable 'form' (did you mean 'from'?)");
}

BOOST_AUTO_TEST_CASE(two_rows_of_one_name_are_an_error) {
  CHECK_COMPLAINT(
      read_with_plan("start,duration,kind,target,params,name\n1m,1m,crash,broker:1,,a\n3m,1m,crash,broker:1,,a\n"),
      "plan.csv:3: name 'a' stands in line 2 too");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace sim
