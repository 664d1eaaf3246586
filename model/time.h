#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

namespace model {

using namespace std::chrono_literals;

/// Simulated time is whole microseconds.
using Duration = std::chrono::duration<std::int64_t, std::micro>;

/// The world's clock. It has no now(): time is what the kernel says.
struct SimClock {
  using rep = Duration::rep;
  using period = Duration::period;
  using duration = Duration;
  using time_point = std::chrono::time_point<SimClock, Duration>;
  static constexpr bool is_steady = true;
};

/// An instant of the world, counted from its start. Timestamps of records written before the start are negative.
using SimTime = SimClock::time_point;

inline constexpr SimTime time_start{Duration{0}};
/// Later than every event.
inline constexpr SimTime time_never{Duration{std::numeric_limits<std::int64_t>::max()}};

/// Whole milliseconds since the world's start, rounded down: what Kafka's records and our files carry.
constexpr std::int64_t to_milliseconds(SimTime time) {
  return std::chrono::floor<std::chrono::milliseconds>(time.time_since_epoch()).count();
}
constexpr SimTime from_milliseconds(std::int64_t milliseconds) {
  return SimTime{std::chrono::milliseconds{milliseconds}};
}

}  // namespace model
