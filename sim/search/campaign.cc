#include "sim/search/campaign.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "model/policy.h"
#include "sim/faults/faults.h"
#include "sim/observers/invariants.h"
#include "sim/search/first_difference.h"

namespace sim {

namespace {

/// Each state that a copy went through, once, in the order of the first time: four bits a state.
class StatePath {
 public:
  void add(RemoteLogSegmentState state) {
    const auto code = static_cast<std::uint32_t>(state) + 1;
    std::uint32_t shift = 0;
    for (; ((codes_ >> shift) & 15) != 0; shift += 4) {
      if (((codes_ >> shift) & 15) == code) return;
    }
    codes_ |= code << shift;
  }
  std::string text() const {
    std::string text;
    for (std::uint32_t rest = codes_; rest != 0; rest >>= 4) {
      text += text.empty() ? "" : ">";
      text += to_string(static_cast<RemoteLogSegmentState>((rest & 15) - 1));
    }
    return text.empty() ? "-" : text;
  }

 private:
  static_assert(remote_log_segment_state_count <= 8, "a path has room for eight states");
  std::uint32_t codes_ = 0;
};

bool is_leftover_of(const Leftover& leftover, const Violation& violation) {
  const bool was_there = leftover.became_garbage <= violation.time;
  const bool is_there = !leftover.reclaimed || *leftover.reclaimed > violation.time;
  const bool is_ghost = leftover.bytes == Bytes{0};
  return was_there && is_there && is_ghost == (violation.invariant == "entries-settle");
}

/// Watches the states, and at the end finds out what the violations have in common with others.
class FindingsListener final : public RunListener {
 public:
  FindingsListener(const Scenario& scenario, const ChaosOptions& options, RunListener* next)
      : scenario_(scenario), options_(options), next_(next) {}

  void begin(const WorldView& world) override {
    world_ = &world;
    if (next_ != nullptr) next_->begin(world);
  }
  void record(const TraceRecord& record) override {
    if (const auto* transition = std::get_if<Transition>(&record.event); transition != nullptr && transition->applied) {
      const std::uint32_t number = transition->segment->number;
      if (number >= paths_.size()) paths_.resize(2 * number + 16);
      paths_[number].add(transition->to);
    } else if (const auto* hit = std::get_if<FaultHit>(&record.event); hit != nullptr) {
      if (hits_.empty() || hits_.back().second != hit->fault) hits_.emplace_back(record.number, hit->fault);
    }
    if (next_ != nullptr) next_->record(record);
  }
  void curve(const CurvePoint& point) override {
    if (next_ != nullptr) next_->curve(point);
  }
  void end(const RunResult& result) override {
    for (std::size_t i = 0; i < result.violations.size(); ++i) add(result, result.violations[i], result.expected[i]);
    if (next_ != nullptr) next_->end(result);
  }

  std::vector<Finding> take() { return std::move(findings_); }

 private:
  void add(const RunResult& result, const Violation& violation, bool is_expected) {
    Finding finding;
    finding.signature = {result.policy_label, std::string{violation.invariant}};
    finding.message = fmt::format("{}: {}", violation.subject, violation.detail);
    finding.event = violation.event;
    const std::size_t before = findings_.size();
    if (violation.invariant == "garbage-zero" || violation.invariant == "entries-settle") {
      for (const Leftover& leftover : result.leftovers) {
        if (!is_leftover_of(leftover, violation)) continue;
        const std::uint32_t number = leftover.segment->number;
        finding.signature.states = number < paths_.size() ? paths_[number].text() : "-";
        finding.signature.fault = fault_of(leftover);
        if (!is_expected) explain_what_stays(finding.signature, leftover, result);
        put(finding, is_expected);
      }
    }
    if (findings_.size() != before) return;
    const bool is_safety = exit_code_of(finding.signature) == 1;
    finding.signature.fault = cause_of(finding.signature, is_safety ? violation.event : last_record, is_safety);
    Signature by_size = finding.signature;
    by_size.fault = size_retention;
    const bool may_be_size = violation.invariant == "nothing-live-deleted" && is_limited_by_size(violation.subject);
    if (may_be_size && !options_.is_known(finding.signature) && options_.is_known(by_size)) finding.signature = by_size;
    put(finding, is_expected);
  }

  /// What breaks in no copy's name has no cause that the ledger knows: of the kinds that had an effect by then the
  /// first that explains it to who wrote [chaos] known; else the last one before the record at which it broke.
  std::string cause_of(Signature signature, std::uint64_t event, bool has_record) const {
    std::string last = "-";
    for (const auto& [number, fault] : hits_) {
      if (number > event) break;
      last = scenario_.faults[fault].kind;
      signature.fault = last;
      if (options_.is_known(signature)) return last;
    }
    return has_record ? last : "-";
  }

  std::string fault_of(const Leftover& leftover) const {
    return leftover.fault ? scenario_.faults[*leftover.fault].kind : "-";
  }

  /// Whatever left a copy, it stays where nobody is left to clean up: its topic is deleted, or its partition's task has
  /// ended over too much custom metadata. Where [chaos] knows that, the signature says so.
  void explain_what_stays(Signature& signature, const Leftover& leftover, const RunResult& result) const {
    if (options_.is_known(signature)) return;
    Signature other = signature;
    other.fault = topic_delete_fault.info.name;
    if (is_of_deleted_topic(leftover, result) && options_.is_known(other)) signature = other;
    other.fault = oversized_custom_metadata_fault.info.name;
    const bool has_ended = std::any_of(result.leftovers.begin(), result.leftovers.end(), [&](const Leftover& each) {
      return each.segment->partition == leftover.segment->partition && fault_of(each) == other.fault;
    });
    if (has_ended && options_.is_known(other)) signature = other;
  }

  bool is_of_deleted_topic(const Leftover& leftover, const RunResult& result) const {
    const std::string& topic = scenario_.topics[world_->topic_of(leftover.segment->partition)].name;
    return std::any_of(result.faults.begin(), result.faults.end(), [&](const FaultWindow& window) {
      const FaultRow& row = scenario_.faults[window.row];
      if (window.hits == 0 || row.kind != topic_delete_fault.info.name) return false;
      const auto& targets = row.target.from;
      return std::any_of(targets.begin(), targets.end(), [&](const TargetNode& node) { return node.topic == topic; });
    });
  }

  /// Whether the partition's topic keeps only so many bytes, as it was configured at first.
  bool is_limited_by_size(std::string_view partition) const {
    return std::any_of(scenario_.topics.begin(), scenario_.topics.end(), [&](const TopicScenario& topic) {
      return partition.substr(0, partition.rfind('-')) == topic.name && topic.options.retention_bytes >= Bytes{0};
    });
  }

  void put(Finding finding, bool is_expected) {
    const auto same = [&](const Finding& other) { return other.signature == finding.signature; };
    if (std::any_of(findings_.begin(), findings_.end(), same)) return;
    finding.standing = is_expected                            ? FailureStanding::expected
                       : options_.is_known(finding.signature) ? FailureStanding::known
                                                              : FailureStanding::unexpected;
    findings_.push_back(std::move(finding));
  }

  const Scenario& scenario_;
  const ChaosOptions& options_;
  RunListener* next_;
  const WorldView* world_ = nullptr;
  /// By segment number.
  std::vector<StatePath> paths_;
  /// Number of the record, index of the fault; only where the fault is another than before.
  std::vector<std::pair<std::uint64_t, std::uint32_t>> hits_;
  static constexpr std::uint64_t last_record = std::numeric_limits<std::uint64_t>::max();
  std::vector<Finding> findings_;
};

/// 1 before 3; 4, which says that nothing else can be believed, before all.
int worse(int a, int b) {
  constexpr std::array order{0, 3, 1, 4};
  const auto rank = [&](int code) { return std::find(order.begin(), order.end(), code) - order.begin(); };
  return rank(a) < rank(b) ? b : a;
}

std::vector<std::string> hit_kinds(const Scenario& scenario, const RunResult& result) {
  std::set<std::string> kinds;
  for (const FaultWindow& window : result.faults) {
    if (window.hits > 0) kinds.insert(scenario.faults[window.row].kind);
  }
  return {kinds.begin(), kinds.end()};
}

std::vector<std::string> in_both(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::string> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

/// Adds failures of one signature to others of it.
void join(FailureGroup& group, const FailureGroup& other) {
  const std::uint64_t count = group.count + other.count;
  auto common = group.count == 0 ? other.common_faults : in_both(group.common_faults, other.common_faults);
  const bool is_better = group.count == 0 || std::pair{other.events, other.seed} < std::pair{group.events, group.seed};
  if (is_better) group = other;
  group.count = count;
  group.common_faults = std::move(common);
}

}  // namespace

std::string_view to_string(FailureStanding standing) {
  constexpr std::array<std::string_view, 3> names{"unexpected", "expected", "known"};
  return names[static_cast<std::size_t>(standing)];
}

int exit_code_of(const Signature& signature) {
  if (signature.invariant == not_deterministic) return 4;
  const auto list = invariants();
  const auto found = std::find_if(list.begin(), list.end(),
                                  [&](const InvariantEntry& entry) { return entry.name == signature.invariant; });
  return found != list.end() && found->kind == InvariantKind::liveness ? 3 : 1;
}

CampaignRun run_campaign_world(const Scenario& drawn, const PolicyChoice& policy, std::uint64_t seed,
                               const ChaosOptions& options, RunListener* listener) {
  FindingsListener findings{drawn, options, listener};
  const RunResult result = run_world(drawn, policy, seed, &findings);
  CampaignRun run;
  run.summary = result.summary;
  run.world_end = result.world_end;
  run.findings = findings.take();
  run.hit_kinds = hit_kinds(drawn, result);
  run.goals.reserve(result.goals.size());
  for (const GoalReached& goal : result.goals) run.goals.push_back(goal.times);
  for (const Finding& finding : run.findings) {
    if (finding.standing == FailureStanding::unexpected)
      run.exit_code = worse(run.exit_code, exit_code_of(finding.signature));
  }
  run.summary.verdict = run.exit_code == 0 ? Verdict::pass : Verdict::fail;
  return run;
}

void run_again(const Scenario& drawn, const PolicyChoice& policy, CampaignRun& run) {
  run.second_hash = run_world(drawn, policy, run.summary.seed).summary.trace_hash;
  if (!run.differs_from_itself()) return;
  run.summary.verdict = Verdict::error;
  const RunSetup setup{drawn, policy, run.summary.seed};
  const auto difference = first_difference(setup, setup);
  run.difference = "the same seed gave two traces";
  if (difference) run.difference += ": " + sentence_of(*difference);
}

bool runs_twice(std::uint64_t seed, const ChaosOptions& options) {
  return chance(keyed_draw(Seed{seed}, "run-twice"), options.run_twice);
}

void CampaignTally::add(const CampaignRun& run) {
  world_ms += to_milliseconds(run.world_end);
  const auto put = [&](const Finding& finding) {
    join(failures[finding.signature], {.standing = finding.standing,
                                       .count = 1,
                                       .seed = run.summary.seed,
                                       .events = run.summary.events,
                                       .event = finding.event,
                                       .message = finding.message,
                                       .common_faults = run.hit_kinds});
  };
  for (const Finding& finding : run.findings) put(finding);
  if (run.differs_from_itself()) {
    put({{run.summary.policy, std::string{not_deterministic}}, FailureStanding::unexpected, run.difference});
  }
  for (std::size_t i = 0; i < run.goals.size(); ++i) {
    if (run.goals[i] == 0) continue;
    GoalCount& goal = goals[i];
    goal.first_seed = goal.runs == 0 ? run.summary.seed : std::min(goal.first_seed, run.summary.seed);
    goal.times += run.goals[i];
    ++goal.runs;
  }
}

void CampaignTally::add(const CampaignTally& other) {
  world_ms += other.world_ms;
  for (const auto& [signature, group] : other.failures) join(failures[signature], group);
  for (std::size_t i = 0; i < goals.size(); ++i) {
    const GoalCount& more = other.goals[i];
    if (more.runs == 0) continue;
    goals[i].first_seed = goals[i].runs == 0 ? more.first_seed : std::min(goals[i].first_seed, more.first_seed);
    goals[i].times += more.times;
    goals[i].runs += more.runs;
  }
}

int CampaignTally::exit_code() const {
  int code = 0;
  for (const auto& [signature, group] : failures) {
    if (group.standing == FailureStanding::unexpected) code = worse(code, exit_code_of(signature));
  }
  return code;
}

std::vector<std::size_t> goals_missed(const CampaignTally& tally, const ChaosOptions& options,
                                      const std::vector<PolicyChoice>& policies) {
  std::set<std::string> ran;
  bool knows_dangling = false;
  for (const PolicyChoice& choice : policies) {
    ran.insert(choice.name);
    for (const PolicyEntry& entry : model::policies()) {
      if (entry.name != choice.name) continue;
      knows_dangling =
          knows_dangling || entry.make(choice.options, model::nothing_finalized)->transitions() == TransitionTable::kip;
    }
  }
  const bool all_ran = ran.size() == model::policies().size();
  const auto is_named = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::vector<std::size_t> missed;
  const auto goals = sim::goals();
  for (std::size_t i = 0; i < goals.size(); ++i) {
    if (tally.goals[i].runs > 0 || is_named(options.may_miss, goals[i].name)) continue;
    const bool is_demanded = goals[i].kind == GoalKind::fault ? is_named(options.kinds, goals[i].name)
                             : goals[i].kind == GoalKind::transition
                                 ? knows_dangling || goals[i].name.find("DANGLING") == std::string::npos
                                 : all_ran;
    if (is_demanded) missed.push_back(i);
  }
  return missed;
}

}  // namespace sim
