// Random lives of one partition, legal and illegal: after each step the books must equal a recount with the model's own
// cache.
#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "tests/support/observer_support.h"

namespace tests {
namespace {

using enum model::RemoteLogSegmentState;

class RandomLife {
 public:
  explicit RandomLife(std::uint64_t seed, const FakeWorld::Setup& setup) : world_(setup), random_(seed) {}

  void step() {
    switch (random_.below(14)) {
      case 0:
      case 1:
        return world_.roll(1 + random_.below(40));
      case 2:
        return world_.append(1 + random_.below(5));
      case 3:
      case 4:
        return begin_copy();
      case 5:
      case 6:
        return publish();
      case 7:
      case 8:
        return change_bytes();
      case 9:
        return enter_step();
      case 10:
        return leave();
      case 11:
        return move_leader();
      case 12:
        return raise_or_delete();
      default:
        return world_.at(world_.now().time_since_epoch() + Duration{random_.below(2'000'000'000)});
    }
  }
  FakeWorld& world() { return world_; }

 private:
  Offset below(Offset end) { return Offset{random_.below(static_cast<std::uint32_t>(end.value() + 1))}; }
  BrokerId broker() { return BrokerId{static_cast<std::int32_t>(1 + random_.below(2))}; }
  const model::UnifiedLog& log() { return world_.leader_log(partition_0); }
  const RemoteLogSegment* any_copy() {
    if (world_.segment_count() == 0) return nullptr;
    // The newer ones more often.
    const std::uint32_t window = random_.below(4) == 0 ? world_.segment_count() : std::min(world_.segment_count(), 8U);
    return &world_.segment(world_.segment_count() - 1 - random_.below(window));
  }

  void begin_copy() {
    const Offset end = log().log_end_offset();
    if (end < 2_offset) return;
    const Offset start =
        std::max(log().log_start_offset(), random_.below(3) == 0 ? below(end) : Offset{end.value() * 3 / 4});
    const Offset last = std::min(previous(end), start + random_.below(60));
    if (last < start) return;
    auto epochs_of_copy = log().leader_epochs().entries_between(start, next(last));
    if (epochs_of_copy.empty()) return;
    const auto& copy = world_.new_copy(start, last, world_.now() - Duration{random_.below(1'000'000)}, epochs_of_copy);
    world_.enter(copy, TaskStep::copy_publish_started);
    world_.publish(copy, copy_segment_started);
    world_.enter(copy, TaskStep::copy_upload);
    world_.store_all(copy);
    if (random_.below(4) == 0) world_.copy_failed(copy);
    if (random_.below(4) != 0) world_.publish(copy, copy_segment_finished);
    if (random_.below(4) != 0) world_.leave(copy);
  }

  void publish() {
    static constexpr std::array states{copy_segment_finished, delete_segment_started, delete_segment_started,
                                       delete_segment_finished, dangling};
    const RemoteLogSegment* const copy = any_copy();
    if (copy != nullptr) world_.publish(*copy, states[random_.below(states.size())]);
  }

  void change_bytes() {
    const RemoteLogSegment* const copy = any_copy();
    if (copy == nullptr) return;
    const auto stored_as = random_.below(4) == 0 ? sim::StoredAs::parts : sim::StoredAs::object;
    if (random_.below(2) == 0)
      world_.live_uploads.erase(copy->number);
    else
      world_.live_uploads.insert(copy->number);
    const Bytes there = world_.stored_of(*copy, stored_as);
    const Bytes wanted = random_.below(2) == 0 ? Bytes{0} : Bytes{random_.below(50'000'000)};
    world_.change_bytes(*copy, wanted - there, stored_as);
  }

  void enter_step() {
    const RemoteLogSegment* const copy = any_copy();
    const auto step = static_cast<TaskStep>(1 + random_.below(16));
    if (copy != nullptr) world_.enter(*copy, step, broker());
  }

  void leave() {
    if (random_.below(10) == 0) return world_.crash(broker());
    const RemoteLogSegment* const copy = any_copy();
    if (copy != nullptr) world_.leave(*copy, random_.below(2) == 0 ? TaskKind::copy : TaskKind::expiration, broker());
  }

  void move_leader() {
    if (random_.below(3) != 0) return;
    const BrokerId to = broker();
    model::UnifiedLog& log = world_.log_of(to);
    if (random_.below(2) == 0) {
      const Offset end =
          std::max(log.local_log_start_offset(), Offset{log.log_end_offset().value() - random_.below(30)});
      log.truncate_to(end);
    }
    if (random_.below(3) != 0) log.leader_epochs() = world_.log_of(world_.leader(partition_0)).leader_epochs();
    log.leader_epochs().truncate_from_end(log.log_end_offset());
    world_.lead(to, ++epoch_);
  }

  void raise_or_delete() {
    const Offset end = log().high_watermark();
    const Offset some = Offset{log().log_start_offset().value() + random_.below(30)};
    if (random_.below(3) == 0) return world_.delete_local_below(below(log().active_segment().base_offset));
    if (some <= end) world_.raise_log_start(some, world_.leader(partition_0));
  }

  FakeWorld world_;
  SplitMix random_;
  std::int32_t epoch_ = 0;
};

void live_and_recount(const FakeWorld::Setup& setup) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomLife life{seed, setup};
    for (int i = 0; i < 250; ++i) {
      life.step();
      BOOST_REQUIRE_MESSAGE(life.world().books_balance(), "seed " << seed << ", step " << i);
    }
    life.world().ledger.finish();
  }
}

BOOST_AUTO_TEST_SUITE(ledger_random)

BOOST_AUTO_TEST_CASE(books_equal_a_recount_without_retention) { live_and_recount({.brokers = 2}); }

BOOST_AUTO_TEST_CASE(books_equal_a_recount_with_retention_by_time_and_size) {
  live_and_recount({.brokers = 2, .policy = "kip-dangling", .retention_time = 1h, .retention_bytes = 200_MiB});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
