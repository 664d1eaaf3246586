#include "reports/overview.h"

#include "reports/table.h"
#include "tests/reports/sample_run.h"

using namespace reports;
using namespace reports_test;

namespace {

/// 3 GiB at the peak; puts-down ended at 5 h, the world at 36 h.
RunOverview run_of(const std::string& policy) {
  PaperWorld world;
  auto run = overview(sample_result(policy), world.scenario());
  run.reclaimed_by = "retention";
  return run;
}

RunOverview clean_before(const std::string& policy, Duration before) {
  auto run = run_of(policy);
  run.summary.outcome = sim::Outcome::clean;
  run.summary.reclaim = Duration{0};
  run.clean_since = run.last_fault_end - before;
  return run;
}

RunOverview left_at_end(const std::string& policy, Bytes never, std::optional<SimTime> due) {
  auto run = run_of(policy);
  run.summary.reclaim.reset();
  run.summary.garbage_bytes_end = 3_GiB;
  run.summary.garbage_bytes_never = never;
  run.summary.last_due = due;
  run.due_by = "retention";
  return run;
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find('\n', begin);
    widest = std::max(widest, end - begin);
    begin = end + 1;
  }
  return widest;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(overviews)

BOOST_AUTO_TEST_CASE(sizes_counts_and_times_are_short) {
  BOOST_TEST(human_bytes(0_B) == "0");
  BOOST_TEST(human_bytes(1023_B) == "1023 B");
  BOOST_TEST(human_bytes(1_KiB) == "1.0 KiB");
  BOOST_TEST(human_bytes(Bytes{(1 << 20) - 1}) == "1.0 MiB");
  BOOST_TEST(human_bytes(Bytes{1'288'490'189}) == "1.2 GiB");
  BOOST_TEST(human_bytes(-340_GiB) == "-340 GiB");
  BOOST_TEST(human_bytes(Bytes{std::numeric_limits<std::int64_t>::max()}) == "8.0 EiB");
  BOOST_TEST(human_count(999) == "999");
  BOOST_TEST(human_count(999'499) == "999k");
  BOOST_TEST(human_count(999'500) == "1.0M");
  BOOST_TEST(human_duration(2h + 13min + 59s) == "2h 13m");
  BOOST_TEST(human_duration(6 * 24h + 20h) == "6d 20h");
  BOOST_TEST(human_duration(24h + 5min) == "1d");
  BOOST_TEST(human_duration(45s) == "45s");
  BOOST_TEST(human_duration(250ms) == "250ms");
  BOOST_TEST(human_duration(Duration{0}) == "0s");
  BOOST_TEST(shorten("kip-dangling-recovery", 16) == "kip-dan..ecovery");
}

BOOST_AUTO_TEST_CASE(the_last_fault_is_the_last_that_hit) {
  const auto run = run_of("kafka-4.0");
  BOOST_TEST(run.last_fault == "puts-down");
  BOOST_TEST((run.last_fault_end == SimTime{5h}));
}

BOOST_AUTO_TEST_CASE(the_time_to_reclaim_has_a_word_for_each_end) {
  BOOST_TEST(time_to_reclaim(run_of("a")) == "20h");
  BOOST_TEST(time_to_reclaim(clean_before("a", 36min)) == "at once");
  BOOST_TEST(time_to_reclaim(left_at_end("a", 1_B, SimTime{200h})) == "never");
  BOOST_TEST(time_to_reclaim(left_at_end("a", 0_B, SimTime{169h})) == "after 6d 20h (retention)");
  BOOST_TEST(time_to_reclaim(left_at_end("a", 0_B, std::nullopt)) == "not yet");
  auto nothing = clean_before("a", 0s);
  nothing.summary.peak_garbage_bytes = 0_B;
  BOOST_TEST(time_to_reclaim(nothing) == "-");
}

BOOST_AUTO_TEST_CASE(leftovers_tell_since_when_all_is_clean_and_who_cleaned) {
  PaperWorld world;
  auto result = sample_result();
  result.summary.reclaim = Duration{0};
  const auto segment = sample_segment();
  const auto leftover = [&](SimTime reclaimed, sim::Remover by) {
    sim::Leftover gone{&segment, 1_MiB, SimTime{2h}, reclaimed, {}, {}, TaskStep::none, by, sim::Remover::none, {}};
    result.leftovers.push_back(gone);
  };
  leftover(SimTime{3h}, sim::Remover::sweep);
  leftover(SimTime{4h}, sim::Remover::retention);
  const auto run = overview(result, world.scenario());
  BOOST_TEST((run.clean_since == SimTime{4h}));
  BOOST_TEST(run.reclaimed_by == "retention");
  BOOST_TEST(headline_clause(run) == "kafka-4.0 was clean 1h before puts-down ended");
}

BOOST_AUTO_TEST_CASE(the_headline_compares_the_proposal_with_what_it_is_built_on) {
  const std::vector runs{left_at_end("kafka-3.6", 3_GiB, {}), run_of("kafka-4.0"), clean_before("kip-dangling", 36min)};
  BOOST_TEST(
      headline(runs) ==
      "kip-dangling was clean 36m before puts-down ended; kafka-4.0 held up to 3.0 GiB, gone 20h after puts-down ended "
      "(retention).");
}

BOOST_AUTO_TEST_CASE(the_headline_takes_best_and_worst_of_others_and_never_hides_a_loss) {
  auto loss = run_of("kafka-3.6");
  loss.summary.outcome = sim::Outcome::loss;
  loss.summary.over_deleted_bytes = 500_MiB;
  BOOST_TEST(headline(std::vector{left_at_end("b", 0_B, SimTime{25h}), run_of("a")}) ==
             "a held up to 3.0 GiB, gone 20h after puts-down ended (retention); b still held 3.0 GiB when the world "
             "ended, due 20h after "
             "puts-down ended (retention).");
  BOOST_TEST(
      headline(std::vector{run_of("kafka-4.0"), clean_before("kip-dangling", 0s), loss}) ==
      "kip-dangling was clean when puts-down ended; kafka-4.0 held up to 3.0 GiB, gone 20h after puts-down ended "
      "(retention); kafka-3.6 made "
      "500 MiB of retained data unreadable.");
}

BOOST_AUTO_TEST_CASE(the_headline_names_two_policies_where_only_ghosts_part_them) {
  auto clean = clean_before("a", 0s);
  clean.summary.peak_garbage_bytes = 0_B;
  auto ghosts = clean_before("b", 0s);
  ghosts.summary.peak_garbage_bytes = 0_B;
  ghosts.summary.outcome = sim::Outcome::leak;
  constexpr std::string_view both = "a left nothing behind; b left no byte behind, but broke a liveness invariant.";
  BOOST_TEST(headline(std::vector{ghosts, clean}) == both);
  BOOST_TEST(headline(std::vector{clean, ghosts}) == both);
}

BOOST_AUTO_TEST_CASE(the_headline_says_once_what_holds_for_all) {
  BOOST_TEST(headline(std::vector{clean_before("a", 0s), clean_before("b", 0s), clean_before("c", 0s)}) ==
             "Each of the 3 runs was clean when puts-down ended.");
  BOOST_TEST(headline({}) == "");
}

BOOST_AUTO_TEST_CASE(the_table_has_a_line_a_policy) {
  BOOST_TEST(run_table(std::vector{run_of("kafka-4.0"), clean_before("kip-dangling", 36min)}) ==
             "policy           peak    byte-  time to  never  store  meta  outcome\n"
             "              garbage    hours  reclaim  freed  calls  data\n"
             "kafka-4.0     3.0 GiB  4.9 KiB  20h          0   1.2k    30  leak *\n"
             "kip-dangling  3.0 GiB  4.9 KiB  at once      0   1.2k    30  clean\n"
             "* as the scenario expects\n");
}

BOOST_AUTO_TEST_CASE(the_table_stays_within_80_columns_whatever_it_holds) {
  std::vector<RunOverview> runs;
  for (const auto* policy :
       {"kip-dangling-recovery", "kip-dangling:sweep=after-success,base=kafka-3.9,expiration=as-any",
        "kip-dangling:sweep=after-success,base=kafka-4.0,expiration=as-any"}) {
    auto run = left_at_end(policy, 0_B, SimTime{Duration{std::numeric_limits<std::int64_t>::max()}});
    run.summary.peak_garbage_bytes = Bytes{1'020LL << 40};
    run.summary.garbage_byte_time = ~static_cast<unsigned __int128>(0);
    run.summary.store_requests = std::numeric_limits<std::int64_t>::max();
    run.summary.metadata_records = 999'499'999;
    run.summary.outcome = sim::Outcome::unknown;
    run.summary.verdict = sim::Verdict::fail;
    run.due_by = "topic-deletion";
    runs.push_back(run);
  }
  runs.push_back(left_at_end("never", Bytes{1'020LL << 40}, {}));
  const auto table = run_table(runs);
  BOOST_TEST(widest_line(table) <= 80U, table);
  BOOST_TEST(table.find("[1] by topic-deletion\n") != std::string::npos, table);
}

BOOST_AUTO_TEST_SUITE_END()
