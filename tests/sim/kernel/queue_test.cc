#include "sim/kernel/queue.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "sim/kernel/random.h"

namespace {

using sim::QueueEntry;
using sim::TwoLevelQueue;

constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max();

/// The queue beside the obvious thing: a list of which the least is taken.
class Pair {
 public:
  explicit Pair(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t draw(std::uint64_t count) { return engine_() % count; }
  std::size_t size() const { return reference_.size(); }
  std::int64_t now() const { return now_; }

  void push(std::int64_t time_us, bool is_tick = false) {
    // Each number once, in no order: a tick's key does not grow with the time of its push.
    const std::uint64_t number = ++pushed_count_;
    const std::uint64_t key = is_tick ? sim::lane_bit | (sim::mix(number) >> 1) : number;
    const QueueEntry entry{time_us, key, number};
    queue_.push(entry);
    reference_.push_back(entry);
  }

  /// Whether both give the same entry.
  bool pop_agrees() {
    const auto least = std::min_element(reference_.begin(), reference_.end());
    const QueueEntry* const first = queue_.peek();
    if (first == nullptr || first->what != least->what) return false;
    if (least->time_us > now_) {
      QueueEntry none{};
      if (queue_.pop_until(least->time_us - 1, none)) return false;
    }
    QueueEntry entry{};
    if (!queue_.pop_until(least->time_us, entry)) return false;
    const bool is_same = entry.what == least->what && entry.time_us == least->time_us && entry.key == least->key;
    now_ = least->time_us;
    reference_.erase(least);
    return is_same && queue_.size() == reference_.size();
  }

  bool drains_in_order() {
    while (!reference_.empty()) {
      if (!pop_agrees()) return false;
    }
    return queue_.empty() && queue_.peek() == nullptr;
  }

  void remove_multiples_of(std::uint64_t divisor) {
    const auto is_removed = [=](std::uint64_t what) { return what % divisor == 0; };
    queue_.remove_if(is_removed);
    std::erase_if(reference_, [&](const QueueEntry& entry) { return is_removed(entry.what); });
  }

  TwoLevelQueue& queue() { return queue_; }
  void forget() {
    queue_.clear();
    reference_.clear();
    now_ = 0;
  }

 private:
  TwoLevelQueue queue_;
  std::vector<QueueEntry> reference_;
  sim::SplitMix64 engine_;
  std::uint64_t pushed_count_ = 0;
  std::int64_t now_ = 0;
};

/// Pops one and pushes one, with delays below 2^bits for a number of bits that is drawn anew for each.
bool holds_in_order(Pair& pair, int steps, std::uint64_t bits_max) {
  for (int i = 0; i < steps; ++i) {
    if (!pair.pop_agrees()) return false;
    const std::uint64_t bits = pair.draw(bits_max + 1);
    const auto delay = static_cast<std::int64_t>(pair.draw(std::uint64_t{1} << bits));
    pair.push(pair.now() + delay, pair.draw(4) == 0);
  }
  return true;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(queue)

BOOST_AUTO_TEST_CASE(gives_nothing_when_empty) {
  TwoLevelQueue queue;
  QueueEntry entry{};
  BOOST_TEST(queue.empty());
  BOOST_TEST(!queue.pop_until(no_end, entry));
  BOOST_TEST(queue.peek() == nullptr);
}

BOOST_AUTO_TEST_CASE(gives_ticks_of_an_instant_after_everything_else_in_the_order_of_their_keys) {
  TwoLevelQueue queue;
  queue.push({5, sim::lane_bit | 1, 3});
  queue.push({5, sim::lane_bit | 0, 2});
  queue.push({5, 9, 1});
  queue.push({4, sim::lane_bit | 7, 0});
  QueueEntry entry{};
  for (std::uint64_t expected = 0; expected < 4; ++expected) {
    BOOST_TEST_REQUIRE(queue.pop_until(no_end, entry));
    BOOST_TEST(entry.what == expected);
  }
}

BOOST_AUTO_TEST_CASE(puts_what_is_pushed_for_the_present_instant_before_its_ticks) {
  TwoLevelQueue queue;
  queue.push({5, 1, 1});
  queue.push({5, 2, 2});
  queue.push({5, sim::lane_bit, 4});
  QueueEntry entry{};
  BOOST_TEST_REQUIRE(queue.pop_until(no_end, entry));
  queue.push({5, 3, 3});
  for (std::uint64_t expected = 2; expected < 5; ++expected) {
    BOOST_TEST_REQUIRE(queue.pop_until(no_end, entry));
    BOOST_TEST(entry.what == expected);
  }
}

BOOST_AUTO_TEST_CASE(keeps_the_order_for_random_times_near_and_far) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Pair pair{seed};
    for (int i = 0; i < 200; ++i) pair.push(static_cast<std::int64_t>(pair.draw(1000)), pair.draw(3) == 0);
    BOOST_TEST_REQUIRE(holds_in_order(pair, 2000, 40));
    BOOST_TEST_REQUIRE(pair.drains_in_order());
  }
}

BOOST_AUTO_TEST_CASE(keeps_the_order_among_many_equal_times) {
  Pair pair{1};
  for (int i = 0; i < 300; ++i) pair.push(static_cast<std::int64_t>(pair.draw(3)), pair.draw(3) == 0);
  BOOST_TEST(holds_in_order(pair, 5000, 1));
  BOOST_TEST(pair.drains_in_order());
}

BOOST_AUTO_TEST_CASE(keeps_the_order_while_its_width_follows_growth_and_shrinking) {
  Pair pair{2};
  for (std::uint64_t bits : {20U, 4U, 34U, 12U}) {
    for (int i = 0; i < 1500; ++i) {
      pair.push(pair.now() + static_cast<std::int64_t>(pair.draw(std::uint64_t{1} << bits)), pair.draw(9) == 0);
    }
    BOOST_TEST_REQUIRE(holds_in_order(pair, 8000, bits));
    while (pair.size() > 50) BOOST_TEST_REQUIRE(pair.pop_agrees());
  }
  BOOST_TEST(pair.drains_in_order());
}

BOOST_AUTO_TEST_CASE(keeps_the_order_when_the_time_scale_changes_at_a_constant_size) {
  Pair pair{3};
  for (int i = 0; i < 500; ++i) pair.push(0);
  for (std::uint64_t bits : {3U, 40U, 10U, 30U, 1U}) BOOST_TEST_REQUIRE(holds_in_order(pair, 6000, bits));
  BOOST_TEST(pair.drains_in_order());
}

BOOST_AUTO_TEST_CASE(takes_times_at_both_ends_of_the_range_and_before_those_popped) {
  Pair pair{4};
  for (std::int64_t time_us : {no_end, no_end - 1, std::int64_t{0}, std::int64_t{-5}, no_end / 2}) pair.push(time_us);
  BOOST_TEST(pair.pop_agrees());
  BOOST_TEST(pair.pop_agrees());
  BOOST_TEST(pair.pop_agrees());
  pair.push(17);
  pair.push(no_end / 2);
  pair.push(16);
  BOOST_TEST(pair.drains_in_order());
}

BOOST_AUTO_TEST_CASE(keeps_the_order_of_what_stays_when_others_are_removed) {
  Pair pair{5};
  for (int i = 0; i < 400; ++i) pair.push(static_cast<std::int64_t>(pair.draw(100'000)));
  for (std::uint64_t divisor : {2U, 3U, 5U}) {
    BOOST_TEST_REQUIRE(holds_in_order(pair, 50, 10));
    for (int i = 0; i < 10; ++i) pair.push(pair.now());
    pair.remove_multiples_of(divisor);
  }
  BOOST_TEST(pair.drains_in_order());
}

BOOST_AUTO_TEST_CASE(starts_over_when_cleared) {
  Pair pair{6};
  for (int i = 0; i < 1000; ++i) pair.push(static_cast<std::int64_t>(pair.draw(1'000'000)));
  BOOST_TEST(holds_in_order(pair, 100, 10));
  pair.push(pair.now());
  pair.forget();
  BOOST_TEST(pair.queue().empty());
  for (int i = 0; i < 100; ++i) pair.push(static_cast<std::int64_t>(pair.draw(1000)));
  BOOST_TEST(pair.drains_in_order());
}

BOOST_AUTO_TEST_SUITE_END()
