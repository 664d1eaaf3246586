#include "sim/run.h"

#include <algorithm>

#include "sim/observers/judge.h"
#include "sim/world/world.h"

namespace sim {

namespace {

/// Counts what the summary counts and passes records on.
class RunObserver final : public TraceObserver {
 public:
  RunObserver(Summary& summary, RunListener* listener) : summary_(summary), listener_(listener) {}

  void on(const TraceRecord& record) override {
    if (const auto* transition = std::get_if<Transition>(&record.event)) {
      summary_.transitions += transition->applied ? 1 : 0;
    } else if (const auto* call = std::get_if<StorageCallEnded>(&record.event)) {
      const bool failed = call->result != CallResult::ok;
      if (call->operation == StoreOperation::put) {
        ++summary_.copy_attempts;
        summary_.copy_failures += failed ? 1 : 0;
      } else {
        ++summary_.delete_attempts;
        summary_.delete_failures += failed ? 1 : 0;
      }
    }
    if (listener_ != nullptr) listener_->record(record);
  }

 private:
  Summary& summary_;
  RunListener* listener_;
};

/// Instants of curves.csv: the grid, and every change of a fault.
std::vector<SimTime> curve_times(const Scenario& scenario, const std::vector<SimTime>& fault_changes) {
  constexpr std::int64_t points = 2'000;
  const Duration whole = scenario.scenario.duration;
  Duration every = scenario.scenario.curve_every;
  if (every <= Duration{0}) every = std::chrono::ceil<std::chrono::seconds>(whole / points);
  std::vector<SimTime> times;
  for (SimTime time = time_start; time < time_start + whole; time += every) times.push_back(time);
  times.push_back(time_start + whole);
  for (SimTime time : fault_changes) {
    if (time <= time_start + whole) times.push_back(time);
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

void take_curve_point(World& world, Ledger& ledger, CurvePoint& point) {
  ledger.advance(world.now());
  point.time = world.now();
  point.active_faults = world.active_fault_count();
  const auto topics = static_cast<std::uint32_t>(world.scenario().topics.size());
  point.rows.resize(topics + 1);
  for (CurvePoint::Row& row : point.rows) row.copy_lag = Bytes{0};
  for (std::uint32_t p = 0; p < world.partition_count(); ++p) {
    const Bytes lag = world.copy_lag(PartitionNumber{p});
    point.rows[0].copy_lag += lag;
    point.rows[1 + world.topic_of(PartitionNumber{p})].copy_lag += lag;
  }
  point.rows[0].totals = ledger.totals();
  point.rows[0].garbage_max = ledger.take_garbage_max(std::nullopt);
  point.rows[0].metric = world.gauges(std::nullopt);
  for (std::uint32_t t = 0; t < topics; ++t) {
    point.rows[1 + t].totals = ledger.totals(t);
    point.rows[1 + t].garbage_max = ledger.take_garbage_max(t);
    point.rows[1 + t].metric = world.gauges(t);
  }
}

std::int64_t cost_micro_usd(const Scenario& scenario, const ObjectStore& store, unsigned __int128 stored_integral) {
  constexpr unsigned __int128 gib_month = (static_cast<unsigned __int128>(1) << 30) * 30 * 86'400 * 1'000'000;
  const StoreOptions& prices = scenario.store;
  const auto storage =
      static_cast<std::int64_t>(stored_integral * static_cast<std::uint64_t>(prices.price_gib_month) / gib_month);
  return storage + store.put_count() * prices.price_put_per_1000 / 1'000 +
         store.delete_count() * prices.price_delete_per_1000 / 1'000 +
         store.list_count() * prices.price_list_per_1000 / 1'000;
}

void fill_summary(World& world, const Ledger& ledger, RunResult& result) {
  Summary& summary = result.summary;
  const LedgerTotals& totals = ledger.totals();
  summary.peak_garbage_bytes = ledger.peak_garbage();
  summary.garbage_byte_time = ledger.garbage_integral();
  summary.waste_byte_time = ledger.waste_integral();
  if (const auto since = ledger.garbage_free_since()) {
    summary.reclaim = std::max(Duration{0}, *since - world.faults().last_hit_end());
  }
  summary.garbage_bytes_end = totals.garbage();
  summary.garbage_age_max = ledger.garbage_age_max();
  summary.orphan_bytes_end = totals.of(ByteClass::orphan);
  summary.stuck_bytes_end = totals.of(ByteClass::stuck);
  summary.ghosts_end = totals.ghost_count;
  summary.over_deleted_bytes = ledger.over_deleted();
  summary.garbage_bytes_never = ledger.garbage_never();
  summary.last_due = ledger.last_due();
  summary.put_bytes = world.store().put_bytes();
  summary.metadata_records = world.metadata().record_count();
  summary.metadata_bytes = summary.metadata_records * world.scenario().metadata.record_bytes;
  summary.store_requests = world.store().request_count();
  summary.cost_micro_usd = cost_micro_usd(world.scenario(), world.store(), ledger.stored_integral());
  summary.events = world.kernel().event_count();
  summary.trace_hash = world.trace().hash();
  result.leftovers = ledger.leftovers();
  result.faults = world.faults().windows();
  result.world_end = world.end();
}

struct CheckPlace {
  World& world;
  const RunResult& result;
};

/// What a failed CHECK prints of the run it happened in.
void tell_check(void* self) {
  const auto& place = *static_cast<const CheckPlace*>(self);
  fmt::print(stderr, "scenario {}, policy {}, seed {}, world time {} us\n", place.result.summary.scenario,
             place.result.summary.policy, place.result.summary.seed, place.world.now().time_since_epoch().count());
  for (const TraceRecord& record : place.world.trace().last_records()) {
    fmt::print(stderr, "  {}\n", describe(record));
  }
}

RunResult empty_result(const Scenario& scenario, const PolicyChoice& policy, std::uint64_t seed) {
  RunResult result;
  result.policy_label = policy.label;
  result.summary.scenario = scenario.name;
  result.summary.policy = policy.label;
  result.summary.seed = seed;
  return result;
}

}  // namespace

/// A world and all that watches it.
struct WorldRun::State {
  State(const Scenario& the_scenario, const PolicyChoice& the_policy, std::uint64_t seed, RunListener* the_listener)
      : scenario(the_scenario),
        policy(the_policy),
        listener(the_listener),
        result(empty_result(scenario, policy, seed)),
        world(scenario, policy, seed),
        ledger(world),
        invariants(world, ledger),
        goals(scenario),
        observer(result.summary, listener) {
    set_check_context(&tell_check, &place);
    world.trace().add_observer(ledger);
    world.trace().add_observer(invariants);
    world.trace().add_observer(goals);
    world.trace().add_observer(observer);
  }
  ~State() { set_check_context(nullptr, nullptr); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void begin() {
    if (begun) return;
    begun = true;
    if (listener != nullptr) listener->begin(world);
    world.begin();
    points = curve_times(scenario, world.faults().change_times());
  }
  /// Judges liveness if its instant lies within `time`.
  void judge_until(SimTime time) {
    if (judged || world.judgement() > time) return;
    world.run_until(world.judgement());
    ledger.advance(world.now());
    invariants.judge_liveness();
    judged = true;
  }
  void pass_point() {
    const SimTime time = points[next_point++];
    judge_until(time);
    world.run_until(time);
    take_curve_point(world, ledger, point);
    if (listener != nullptr) listener->curve(point);
  }

  const Scenario& scenario;
  const PolicyChoice& policy;
  RunListener* listener;
  RunResult result;
  World world;
  CheckPlace place{world, result};
  Ledger ledger;
  InvariantObserver invariants;
  GoalObserver goals;
  RunObserver observer;
  /// Instants of the curve, and the first of them that is still to come.
  std::vector<SimTime> points;
  std::size_t next_point = 0;
  CurvePoint point;
  bool begun = false;
  bool judged = false;
};

WorldRun::WorldRun(const Scenario& scenario, const PolicyChoice& policy, std::uint64_t seed, RunListener* listener)
    : state_(std::make_unique<State>(scenario, policy, seed, listener)) {}
WorldRun::~WorldRun() = default;

const WorldView& WorldRun::world() const { return state_->world; }
Ledger& WorldRun::ledger() { return state_->ledger; }
const Trace& WorldRun::trace() const { return state_->world.trace(); }

void WorldRun::run_until(SimTime time) {
  State& state = *state_;
  state.begin();
  while (state.next_point < state.points.size() && state.points[state.next_point] <= time) state.pass_point();
  const SimTime until = std::min(time, state.world.end());
  state.judge_until(until);
  state.world.run_until(until);
}

bool WorldRun::step() {
  State& state = *state_;
  state.begin();
  while (state.next_point < state.points.size()) {
    const SimTime point = state.points[state.next_point];
    const SimTime judgement = state.world.judgement();
    const bool judges_first = !state.judged && judgement <= point;
    const auto next = state.world.kernel().next_time();
    if (next && *next <= (judges_first ? judgement : point)) return state.world.kernel().step();
    if (judges_first) {
      state.judge_until(point);
    } else {
      state.pass_point();
    }
  }
  return false;
}

RunResult WorldRun::finish() {
  State& state = *state_;
  state.begin();
  while (state.next_point < state.points.size()) state.pass_point();
  state.invariants.judge_safety_at_end();
  state.ledger.finish();
  RunResult& result = state.result;
  result.violations = state.invariants.violations();
  result.goals = state.goals.reached();
  fill_summary(state.world, state.ledger, result);
  judge(state.scenario, state.policy, result);
  if (state.listener != nullptr) state.listener->end(result);
  // Their segments go with the world.
  for (Leftover& leftover : result.leftovers) leftover.segment = nullptr;
  return std::move(result);
}

RunResult run_world(const Scenario& scenario, const PolicyChoice& policy, std::uint64_t seed, RunListener* listener) {
  RunResult result = WorldRun{scenario, policy, seed, listener}.finish();
  CHECK(live_frame_count() == 0, "{} frames outlived their world", live_frame_count());
  return result;
}

}  // namespace sim
