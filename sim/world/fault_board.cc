#include "sim/world/fault_board.h"

#include <algorithm>

namespace sim {

FaultBoard::FaultBoard(Kernel& kernel, Trace& trace, const Scenario& scenario, Seed seed)
    : kernel_(kernel), trace_(trace), scenario_(scenario), window_of_row_(scenario.faults.size()) {
  for (std::uint32_t index = 0; index < scenario.faults.size(); ++index) {
    const FaultRow& row = scenario.faults[index];
    const FaultKind* kind = find_fault(row.kind);
    CHECK(kind != nullptr, "{}", row.kind);
    faults_.push_back(kind->make({row, index, seed, scenario.client, scenario}));
    judges_messages_ = judges_messages_ || faults_.back()->judges_messages();
    judges_publishes_ = judges_publishes_ || faults_.back()->judges_publishes();
  }
}

void FaultBoard::begin(Breakable& world) {
  world_ = &world;
  for (std::uint32_t index = 0; index < scenario_.faults.size(); ++index) {
    const FaultRow& row = scenario_.faults[index];
    const std::int64_t occurrences = occurrence_count(row, scenario_.faults_end());
    for (std::int64_t i = 0; i < occurrences; ++i) {
      const SimTime start = row.every ? row.start + i * *row.every : row.start;
      // What has no end of its own is healed when the time to settle begins, and what happens at an instant is over.
      const bool is_instant = find_fault(row.kind)->info.instant;
      const SimTime open_end = is_instant ? start : std::max(scenario_.faults_end(), start);
      const SimTime heal = row.duration ? start + *row.duration : open_end;
      kernel_.schedule_at<&FaultBoard::start_row>(start, this, index);
      kernel_.schedule_at<&FaultBoard::heal_row>(heal, this, index);
      last_end_ = std::max(last_end_, heal);
      change_times_.push_back(start);
      change_times_.push_back(heal);
    }
  }
}

void FaultBoard::start_row(std::uint64_t row) {
  const auto index = static_cast<std::uint32_t>(row);
  active_.insert(std::lower_bound(active_.begin(), active_.end(), index), index);
  window_of_row_[index] = static_cast<std::uint32_t>(windows_.size());
  windows_.push_back({kernel_.now(), kernel_.now(), index, 0});
  const Ratio slow = faults_[index]->slowness();
  slowness_ = {slowness_.numerator * slow.numerator, slowness_.denominator * slow.denominator};
  trace_.emit(kernel_.now(), FaultStarted{index});
  set_at_work(index);
  if (faults_[index]->hits_when_started()) hit(index);
  faults_[index]->start(*world_);
  set_at_work(std::nullopt);
}

void FaultBoard::heal_row(std::uint64_t row) {
  const auto index = static_cast<std::uint32_t>(row);
  std::erase(active_, index);
  windows_[window_of_row_[index]].end = kernel_.now();
  slowness_ = {1, 1};
  for (std::uint32_t other : active_) {
    const Ratio slow = faults_[other]->slowness();
    slowness_ = {slowness_.numerator * slow.numerator, slowness_.denominator * slow.denominator};
  }
  set_at_work(index);
  faults_[index]->heal(*world_);
  set_at_work(std::nullopt);
  trace_.emit(kernel_.now(), FaultEnded{index});
}

FaultBoard::SlowDown FaultBoard::slow_down() {
  SlowDown slow{slowness_, std::nullopt};
  if (slowness_ == Ratio{1, 1}) return slow;
  for (std::uint32_t index : active_) {
    if (faults_[index]->slowness() == Ratio{1, 1}) continue;
    hit(index);
    slow.fault = index;
  }
  return slow;
}

RequestEffect FaultBoard::on_request(const StoreRequest& request) {
  for (std::uint32_t index : active_) {
    const RequestEffect effect = faults_[index]->on_request(request);
    if (effect.kind == RequestEffect::Kind::pass) continue;
    hit(index);
    return effect;
  }
  return {};
}

CallEffect FaultBoard::on_call(const StorageCall& call) {
  for (std::uint32_t index : active_) {
    const CallEffect effect = faults_[index]->on_call(call);
    if (!effect.fails && !effect.hangs) continue;
    hit(index);
    return effect;
  }
  return {};
}

FaultIndex FaultBoard::loses(Link link, std::uint64_t key) {
  if (!judges_messages_) return std::nullopt;
  for (std::uint32_t index : active_) {
    if (!faults_[index]->loses({link, key})) continue;
    hit(index);
    return index;
  }
  return std::nullopt;
}

std::optional<Repetition> FaultBoard::repeats(Link link, std::uint64_t key) {
  if (!judges_messages_) return std::nullopt;
  for (std::uint32_t index : active_) {
    const auto repetition = faults_[index]->repeats({link, key});
    if (!repetition) continue;
    hit(index);
    return repetition;
  }
  return std::nullopt;
}

PublishEffect FaultBoard::on_publish(const PublishRequest& request) {
  for (std::uint32_t index : active_) {
    const PublishEffect effect = faults_[index]->on_publish(request);
    if (effect.kind == PublishEffect::Kind::pass) continue;
    hit(index);
    return effect;
  }
  return {};
}

FaultBoard::CustomMetadataSize FaultBoard::custom_metadata_size(const StorageCall& call) {
  for (std::uint32_t index : active_) {
    const auto size = faults_[index]->custom_metadata_size(call);
    if (!size) continue;
    hit(index);
    return {*size, index};
  }
  return {};
}

FaultBoard::StaleListing FaultBoard::stale_listing() const {
  StaleListing oldest;
  for (std::uint32_t index : active_) {
    const Duration age = faults_[index]->listing_age();
    if (age > oldest.age) oldest = {age, index};
  }
  return oldest;
}

void FaultBoard::hit(FaultIndex fault) {
  if (!fault) return;
  FaultWindow& window = windows_[window_of_row_[*fault]];
  // One record a window is enough to know that it hit; the count is in faults.csv.
  if (window.hits++ == 0) trace_.emit(kernel_.now(), FaultHit{*fault});
}

SimTime FaultBoard::last_hit_end() const {
  SimTime last = time_start;
  for (const FaultWindow& window : windows_) {
    if (window.hits > 0) last = std::max(last, window.end);
  }
  return last;
}

}  // namespace sim
