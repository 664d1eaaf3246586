// The ledger and deleted topics (readings 1): from that instant no offset is retained.
#include <boost/test/unit_test.hpp>

#include "tests/support/observer_support.h"

namespace tests {
namespace {

using sim::ByteClass;
using sim::Remover;
using enum model::RemoteLogSegmentState;
using enum model::TaskStep;

void delete_topic(FakeWorld& world, Offset log_end) {
  BOOST_REQUIRE(world.log_of(broker_1).maybe_increment_log_start_offset(log_end));
  world.emit(sim::PartitionDeleted{partition_0, broker_1, log_end});
}

BOOST_AUTO_TEST_SUITE(ledger_topic_deletion)

BOOST_AUTO_TEST_CASE(finished_copies_expire_at_once_and_their_removal_is_no_loss) {
  FakeWorld world;
  world.roll(100);
  const auto& copy = world.copied(0_offset, 99_offset);
  world.delete_local_below(100_offset);
  BOOST_TEST(world.of(ByteClass::live).value() == (100_MiB).value());
  delete_topic(world, 100_offset);
  BOOST_TEST(world.of(ByteClass::expired).value() == (100_MiB).value());
  BOOST_TEST(world.books_balance());
  world.enter(copy, topic_deletion_publish_started);
  world.publish(copy, delete_segment_started, topic_deletion_publish_started);
  BOOST_TEST(world.of(ByteClass::deleting).value() == (100_MiB).value());
  BOOST_TEST(world.ledger.totals().garbage().value() == 0);
  world.enter(copy, topic_deletion_delete);
  world.remove_all(copy);
  world.enter(copy, topic_deletion_publish_finished);
  world.publish(copy, delete_segment_finished, topic_deletion_publish_finished);
  world.leave(copy, TaskKind::partition_deletion);
  BOOST_TEST(world.ledger.over_deleted().value() == 0);
  BOOST_TEST(world.books_balance());
  BOOST_TEST(world.broken().empty());
}

// A finished copy that comes only now is expired as well.
BOOST_AUTO_TEST_CASE(a_copy_that_finishes_afterwards_is_expired) {
  FakeWorld world;
  world.roll(100);
  const auto& copy = world.uploading(0_offset, 99_offset, 100_MiB);
  delete_topic(world, 100_offset);
  BOOST_TEST(world.of(ByteClass::in_flight).value() == (100_MiB).value());
  world.publish(copy, copy_segment_finished, copy_publish_finished);
  world.leave(copy);
  BOOST_TEST(world.of(ByteClass::expired).value() == (100_MiB).value());
  BOOST_TEST(world.books_balance());
}

/// A copy that failed with its bytes stored, before its topic was deleted.
const RemoteLogSegment& failed_before(FakeWorld& world) {
  world.roll(100);
  const auto& copy = world.uploading(0_offset, 99_offset, 100_MiB);
  world.copy_failed(copy, sim::FaultIndex{3});
  world.leave(copy);
  delete_topic(world, 100_offset);
  return copy;
}

BOOST_AUTO_TEST_CASE(a_leftover_that_the_deletion_never_reached_is_due_by_nobody) {
  for (const char* policy : {"kafka-4.0", "kip-dangling"}) {
    BOOST_TEST_CONTEXT(policy) {
      FakeWorld world{{.policy = policy}};
      const auto& copy = failed_before(world);
      // 4.0's walk and the KIP's sweep would take these states, if the partition were still led.
      world.publish(copy, delete_segment_started, clean_up_publish_started);
      world.ledger.finish();
      BOOST_REQUIRE(world.ledger.leftovers().size() == 1u);
      BOOST_TEST((world.ledger.leftovers()[0].due_by == Remover::none));
      BOOST_TEST(world.ledger.garbage_never().value() == (100_MiB).value());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_leftover_that_the_deletion_holds_is_due_by_it) {
  FakeWorld world;
  const auto& copy = failed_before(world);
  world.enter(copy, topic_deletion_publish_started);
  world.publish(copy, delete_segment_started, topic_deletion_publish_started);
  world.enter(copy, topic_deletion_delete);
  world.ledger.finish();
  BOOST_REQUIRE(world.ledger.leftovers().size() == 1u);
  BOOST_TEST((world.ledger.leftovers()[0].due_by == Remover::topic_deletion));
  BOOST_TEST(world.ledger.leftovers()[0].due.has_value());
  BOOST_TEST(world.ledger.garbage_never().value() == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
