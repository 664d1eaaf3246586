// The trace: numbers, the hash that stands for a run, the last records, and lines for people.
#include "sim/trace/trace.h"

#include <set>

#include <boost/test/unit_test.hpp>

#include "tests/support/model_support.h"

namespace tests {
namespace {

using model::BrokerId;
using model::Bytes;
using model::Offset;
using model::PartitionNumber;
using model::SimTime;
using sim::TraceEvent;

struct Recorder final : sim::TraceObserver {
  void on(const sim::TraceRecord& record) override { records.push_back(record); }
  std::vector<sim::TraceRecord> records;
};

std::uint64_t hash_of(SimTime time, const TraceEvent& event) {
  sim::Trace trace;
  trace.emit(time, event);
  return trace.hash();
}

const model::RemoteLogSegment segment_1 = make_segment(1, 0_offset, 99_offset);
const model::RemoteLogSegment segment_2 = make_segment(2, 0_offset, 99_offset);

sim::Transition transition() {
  return {&segment_1,
          BrokerId{1},
          model::LeaderEpoch{2},
          {},
          model::RemoteLogSegmentState::copy_segment_started,
          model::TaskStep::copy_publish_started,
          true,
          model::MetadataPartition{3},
          Offset{4},
          SimTime{7s},
          0};
}

/// The same event with one field after the other changed.
std::vector<TraceEvent> variations() {
  std::vector<TraceEvent> events{transition()};
  const auto vary = [&events](auto change) {
    sim::Transition event = transition();
    change(event);
    events.push_back(event);
  };
  vary([](auto& e) { e.segment = &segment_2; });
  vary([](auto& e) { e.broker = BrokerId{2}; });
  vary([](auto& e) { e.leader_epoch = model::LeaderEpoch{-1}; });
  vary([](auto& e) { e.from = model::RemoteLogSegmentState::copy_segment_started; });
  vary([](auto& e) { e.to = model::RemoteLogSegmentState::dangling; });
  vary([](auto& e) { e.step = model::TaskStep::none; });
  vary([](auto& e) { e.applied = false; });
  vary([](auto& e) { e.metadata_partition = model::MetadataPartition{0}; });
  vary([](auto& e) { e.offset = Offset{5}; });
  vary([](auto& e) { e.event_timestamp = SimTime{8s}; });
  vary([](auto& e) { e.custom_metadata_size = 1; });
  return events;
}

BOOST_AUTO_TEST_SUITE(trace)

BOOST_AUTO_TEST_CASE(records_are_numbered_from_1_and_reach_every_observer_in_order) {
  sim::Trace trace;
  Recorder first;
  Recorder second;
  trace.add_observer(first);
  trace.add_observer(second);
  trace.emit(SimTime{1s}, sim::BrokerStarted{BrokerId{1}});
  trace.emit(SimTime{2s}, sim::BrokerCrashed{BrokerId{1}});
  BOOST_TEST(trace.record_count() == 2U);
  for (const Recorder* recorder : {&first, &second}) {
    BOOST_REQUIRE(recorder->records.size() == 2U);
    BOOST_TEST(recorder->records[1].number == 2U);
    BOOST_TEST((recorder->records[1].time == SimTime{2s}));
    BOOST_TEST(std::holds_alternative<sim::BrokerCrashed>(recorder->records[1].event));
  }
}

BOOST_AUTO_TEST_CASE(each_field_of_a_transition_changes_the_hash) {
  std::set<std::uint64_t> hashes;
  const auto events = variations();
  for (const TraceEvent& event : events) hashes.insert(hash_of(SimTime{1s}, event));
  BOOST_TEST(hashes.size() == events.size());
  BOOST_TEST(!hashes.contains(hash_of(SimTime{1s} + model::Duration{1}, events[0])));
}

BOOST_AUTO_TEST_CASE(kinds_with_the_same_fields_have_different_hashes) {
  std::set<std::uint64_t> hashes;
  for (const TraceEvent& event :
       {TraceEvent{sim::FaultStarted{1}}, TraceEvent{sim::FaultEnded{1}}, TraceEvent{sim::FaultHit{1}}}) {
    hashes.insert(hash_of(SimTime{}, event));
  }
  BOOST_TEST(hashes.size() == 3U);
}

BOOST_AUTO_TEST_CASE(no_fault_differs_from_fault_0_and_branches_differ_by_their_names) {
  BOOST_TEST(hash_of(SimTime{}, sim::BrokerCrashed{BrokerId{1}, {}}) !=
             hash_of(SimTime{}, sim::BrokerCrashed{BrokerId{1}, 0}));
  BOOST_TEST(hash_of(SimTime{}, sim::BranchTaken{"a"}) != hash_of(SimTime{}, sim::BranchTaken{"b"}));
}

BOOST_AUTO_TEST_CASE(the_order_of_records_counts) {
  sim::Trace one;
  sim::Trace other;
  one.emit(SimTime{}, sim::FaultHit{1});
  one.emit(SimTime{}, sim::FaultHit{2});
  other.emit(SimTime{}, sim::FaultHit{2});
  other.emit(SimTime{}, sim::FaultHit{1});
  BOOST_TEST(one.hash() != other.hash());
}

BOOST_AUTO_TEST_CASE(a_copy_is_hashed_by_its_number_wherever_it_lies) {
  const auto elsewhere = std::make_unique<model::RemoteLogSegment>(segment_1);
  sim::Transition event = transition();
  event.segment = elsewhere.get();
  BOOST_TEST(hash_of(SimTime{}, event) == hash_of(SimTime{}, transition()));
}

BOOST_AUTO_TEST_CASE(the_hash_is_the_same_with_every_compiler) {
  sim::Trace trace;
  for (const TraceEvent& event : variations()) trace.emit(SimTime{1s}, event);
  trace.emit(SimTime{-1s}, sim::GaugesSet{PartitionNumber{7}, BrokerId{1}, {-1, Bytes{1} - Bytes{2}}});
  trace.emit(SimTime{2s}, sim::BranchTaken{"clean-up-skipped-when-cancelled"});
  BOOST_TEST(trace.hash() == 10294430688747001529U);
}

BOOST_AUTO_TEST_CASE(the_last_records_come_oldest_first) {
  sim::Trace trace;
  for (std::uint32_t i = 1; i <= 30; ++i) trace.emit(SimTime{}, sim::FaultHit{i});
  BOOST_TEST(trace.last_records().size() == 30U);
  for (std::uint32_t i = 31; i <= 123; ++i) trace.emit(SimTime{}, sim::FaultHit{i});
  const auto last = trace.last_records();
  BOOST_REQUIRE(last.size() == 50U);
  for (std::size_t i = 0; i < last.size(); ++i) BOOST_TEST(last[i].number == 74 + i);
}

BOOST_AUTO_TEST_CASE(time_is_written_for_people) {
  BOOST_TEST(sim::format_time(SimTime{1h + 2min + 3456ms}) == "1h 02m 03.456s");
  BOOST_TEST(sim::format_time(SimTime{}) == "0h 00m 00.000s");
  BOOST_TEST(sim::format_time(SimTime{5us}) == "0h 00m 00.000005s");
  BOOST_TEST(sim::format_time(SimTime{-90min}) == "-1h 30m 00.000s");
  BOOST_TEST(sim::format_time(SimTime{24h * 365}) == "8760h 00m 00.000s");
}

BOOST_AUTO_TEST_CASE(a_line_names_the_event_and_its_fields) {
  BOOST_TEST(sim::describe({SimTime{3456ms}, 12, transition()}) ==
             "0h 00m 03.456s  #12 transition segment=1(AAAAAAAAAAAAAAAAAAAAAQ partition 0 [0,99]) broker=1 "
             "leader_epoch=2 from=- "
             "to=COPY_SEGMENT_STARTED step=copy-publish-started applied=yes metadata_partition=3 offset=4 "
             "event_timestamp=0h 00m 07.000s custom_metadata_size=0");
  BOOST_TEST(sim::describe({SimTime{}, 1,
                            sim::RunEnded{BrokerId{1}, model::TaskKind::copy, PartitionNumber{0},
                                          model::RunEnd::not_ready, SimTime{}}}) ==
             "0h 00m 00.000s  #1 run-ended broker=1 task=copy partition=0 end=not-ready started=0h 00m 00.000s");
}

BOOST_AUTO_TEST_CASE(every_kind_has_a_name_of_its_own) {
  std::set<std::string_view> names;
  const auto add = [&names]<std::size_t... index>(std::index_sequence<index...>) {
    (names.insert(sim::kind_of(std::variant_alternative_t<index, TraceEvent>{})), ...);
  };
  add(std::make_index_sequence<std::variant_size_v<TraceEvent>>{});
  BOOST_TEST(names.size() == std::variant_size_v<TraceEvent>);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
