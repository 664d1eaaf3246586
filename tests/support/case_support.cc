#include "tests/support/case_support.h"

#include <map>

#include <boost/test/unit_test.hpp>

#include "sim/faults/faults.h"

namespace tests {

using namespace sim;

namespace {

/// The plan of a scenario that is a text.
class OnePlan final : public ScenarioFiles {
 public:
  explicit OnePlan(std::string plan) : plan_(std::move(plan)) {}
  Result<std::string, std::string> read(const std::string&) const override { return plan_; }
  std::vector<std::string> names() const override { return {}; }
  std::optional<std::string> find(std::string_view) const override { return std::nullopt; }

 private:
  std::string plan_;
};

std::string_view initials(RemoteLogSegmentState state) {
  switch (state) {
    case RemoteLogSegmentState::copy_segment_started:
      return "CS";
    case RemoteLogSegmentState::copy_segment_finished:
      return "CF";
    case RemoteLogSegmentState::delete_segment_started:
      return "DS";
    case RemoteLogSegmentState::delete_segment_finished:
      return "DF";
    case RemoteLogSegmentState::dangling:
      return "DANGLING";
  }
  return "";
}

class Reader final : public RunListener {
 public:
  explicit Reader(CaseRun& run) : run_(run) {}
  void begin(const WorldView& world) override { world_ = &world; }
  void record(const TraceRecord& record) override {
    const auto* transition = std::get_if<Transition>(&record.event);
    if (transition == nullptr || !transition->applied || transition->step == TaskStep::none) return;
    std::string& states = states_[transition->segment->number];
    if (!states.empty()) states += ' ';
    states += initials(transition->to);
  }
  void curve(const CurvePoint& point) override {
    run_.curve.push_back(point);
    run_.log_start = world_->leader_log(PartitionNumber{0}).log_start_offset();
  }
  void end(const RunResult&) override {
    for (const auto& [number, states] : states_) run_.states += (run_.states.empty() ? "" : " | ") + states;
  }

 private:
  CaseRun& run_;
  const WorldView* world_ = nullptr;
  std::map<std::uint32_t, std::string> states_;
};

}  // namespace

Bytes CaseRun::garbage_at(SimTime time) const {
  Bytes garbage;
  for (const CurvePoint& point : curve) {
    if (point.time <= time) garbage = point.rows.front().totals.garbage();
  }
  return garbage;
}

CaseRun run_case(const CaseWorld& world, std::string_view policy, std::uint64_t seed) {
  const std::string text = "[scenario]\nduration = " + world.duration +
                           "\ncurve.every = 1s\nfaults = plan.csv\n[cluster]\nbrokers = 1\n[broker]\n" + world.broker +
                           "[network]\nlatency = 0\n[metadata]\nlatency = 0\nconsumer.latency = 0\n[store]\n" +
                           world.store + "[client]\n" + world.client +
                           "[topic.orders]\npartitions = " + std::to_string(world.partitions) +
                           "\nsegment.bytes = 100MiB\n" + world.topic;
  const OnePlan files{"start,duration,kind,target,params\n" + world.faults};
  const auto scenario = read_scenario_text("case.ini", text, {}, fault_kinds(), files);
  if (!scenario) {
    for (const InputError& error : scenario.error()) BOOST_TEST_MESSAGE(to_string(error));
  }
  BOOST_REQUIRE(scenario.has_value());
  const auto choice = read_policy_choice(policy, *scenario);
  BOOST_REQUIRE(choice.has_value());
  CaseRun run;
  Reader reader{run};
  run.result = run_world(*scenario, *choice, seed, &reader);
  return run;
}

}  // namespace tests
