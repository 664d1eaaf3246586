// How DANGLING is written and who can read it (readings 4.12 and 7).
#include "model/remote_log_segment_record.h"

#include <map>

#include <boost/test/unit_test.hpp>

#include "model/policies/policies.h"
#include "tests/support/task_support.h"

namespace tests {
namespace {

using model::DanglingEncoding;
using model::read_state;
using model::TransitionTable;
using model::write_state;
using enum model::RemoteLogSegmentState;

BOOST_AUTO_TEST_SUITE(remote_log_segment_record)

BOOST_AUTO_TEST_CASE(kafkas_states_are_written_and_read_as_ever) {
  for (const auto encoding : {DanglingEncoding::state_4, DanglingEncoding::tagged}) {
    for (const auto state :
         {copy_segment_started, copy_segment_finished, delete_segment_started, delete_segment_finished}) {
      const model::StateField field = write_state(state, encoding);
      BOOST_TEST((field == model::StateField{static_cast<std::int8_t>(state), false}));
      BOOST_TEST((read_state(TransitionTable::kafka, field) == state));
      BOOST_TEST((read_state(TransitionTable::kip, field) == state));
    }
  }
}

// Readings 7: forId(4) is null in every older version, and the record cannot be read.
BOOST_AUTO_TEST_CASE(an_older_broker_cannot_read_state_4) {
  const model::StateField field = write_state(dangling, DanglingEncoding::state_4);
  BOOST_TEST(field.id == 4);
  BOOST_TEST((read_state(TransitionTable::kip, field) == dangling));
  BOOST_TEST(!read_state(TransitionTable::kafka, field));
}

// Readings 4.12: to an older broker somebody is deleting the segment.
BOOST_AUTO_TEST_CASE(an_older_broker_reads_the_tagged_encoding_as_a_delete) {
  const model::StateField field = write_state(dangling, DanglingEncoding::tagged);
  BOOST_TEST((field == model::StateField{2, true}));
  BOOST_TEST((read_state(TransitionTable::kip, field) == dangling));
  BOOST_TEST((read_state(TransitionTable::kafka, field) == delete_segment_started));
}

// The price of 4.12: where the KIP's table drops DANGLING, Kafka's own lets the delete pass that an older broker reads.
BOOST_AUTO_TEST_CASE(after_a_finish_a_tagged_dangling_is_a_delete_to_an_older_broker_alone) {
  const auto segment = make_segment(0, model::Offset{0}, model::Offset{9}, {}, 100_MiB, model::time_start);
  for (const auto table : {TransitionTable::kip, TransitionTable::kafka}) {
    model::RemoteLogMetadataCache cache{table};
    for (const auto written : {copy_segment_started, copy_segment_finished, dangling}) {
      const auto state = read_state(table, write_state(written, DanglingEncoding::tagged));
      BOOST_TEST_REQUIRE(state.has_value());
      cache.handle(make_event(segment, *state));
    }
    const auto found = cache.find(segment);
    BOOST_TEST_REQUIRE(found.has_value());
    BOOST_TEST((found->state == (table == TransitionTable::kip ? copy_segment_finished : delete_segment_started)));
  }
}

// Option encoding: the policy says it, every record carries it, and upgraded brokers behave the same.
BOOST_AUTO_TEST_CASE(the_option_decides_how_the_policy_writes) {
  BOOST_TEST((model::make_kip_dangling({})->dangling_encoding() == DanglingEncoding::state_4));
  model::PolicyOptions options;
  options.kip_dangling.encoding = options.kip_dangling_recovery.encoding = DanglingEncoding::tagged;
  BOOST_TEST((model::make_kip_dangling(options)->dangling_encoding() == DanglingEncoding::tagged));
  BOOST_TEST((model::make_kip_dangling_recovery(options)->dangling_encoding() == DanglingEncoding::tagged));

  TaskWorld world{{.policy = "kip-dangling", .kip = options.kip_dangling}};
  world.append_segments(1);
  world.answer(Call::copy, permanent);
  world.answer(Call::remove, permanent);
  world.lead();
  world.run_for(31s);
  BOOST_TEST(world.events() ==
             "CS 0, copy 0, DANGLING 0, DS 0, delete 0, DANGLING 0, CS 1, copy 1, CF 1, DS 0, delete 0, DF 0");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
