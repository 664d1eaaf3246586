#include "reports/overview.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "reports/overview_parts.h"

namespace reports {

void find_last_fault(RunOverview& run) {
  run.last_fault_end = time_start;
  run.last_fault.clear();
  for (const auto& fault : run.faults) {
    if (fault.hits == 0) continue;
    if (!run.last_fault.empty() && fault.end <= run.last_fault_end) continue;
    run.last_fault_end = fault.end;
    run.last_fault = fault.name;
  }
}

void tell_leftovers(RunOverview& run, std::span<const LeftoverEnd> leftovers) {
  std::optional<SimTime> last_reclaim;
  std::optional<SimTime> last_due;
  std::set<std::string_view> removers;
  bool all_reclaimed = true;
  for (const auto& leftover : leftovers) {
    if (leftover.is_ghost) continue;
    if (!leftover.reclaimed) {
      all_reclaimed = false;
      if (leftover.due && (!last_due || *leftover.due > *last_due)) {
        last_due = leftover.due;
        run.due_by = leftover.due_by;
      }
      continue;
    }
    if (*leftover.reclaimed > run.last_fault_end) removers.insert(leftover.reclaimed_by);
    if (!last_reclaim || *leftover.reclaimed >= *last_reclaim) {
      last_reclaim = leftover.reclaimed;
      run.reclaimed_by = leftover.reclaimed_by;
    }
  }
  run.reclaimed_by_one = removers.size() <= 1;
  const auto& summary = run.summary;
  if (summary.garbage_bytes_end != Bytes{0} || !all_reclaimed) return;
  // The ledger's own measure where it is one; the leftovers know the instant only when it was before the last fault's
  // end.
  if (summary.reclaim && *summary.reclaim > Duration{0}) {
    run.clean_since = run.last_fault_end + *summary.reclaim;
  } else if (last_reclaim && *last_reclaim <= run.last_fault_end) {
    run.clean_since = last_reclaim;
  }
}

RunOverview overview(const sim::RunResult& result, const sim::Scenario& scenario) {
  RunOverview run;
  run.summary = result.summary;
  run.world_end = result.world_end;
  for (const auto& window : result.faults) {
    const auto& row = scenario.faults[window.row];
    run.faults.push_back({row.name.empty() ? row.kind : row.name, window.start, window.end, window.hits});
  }
  find_last_fault(run);
  std::vector<LeftoverEnd> ends;
  for (const auto& leftover : result.leftovers) {
    ends.push_back({.is_ghost = leftover.bytes == Bytes{0},
                    .reclaimed = leftover.reclaimed,
                    .reclaimed_by = std::string{to_string(leftover.reclaimed_by)},
                    .due_by = std::string{to_string(leftover.due_by)},
                    .due = leftover.due});
  }
  tell_leftovers(run, ends);
  return run;
}

std::string time_to_reclaim(const RunOverview& run) {
  const auto& summary = run.summary;
  if (summary.garbage_bytes_never > Bytes{0}) return "never";
  if (summary.garbage_bytes_end > Bytes{0}) {
    if (!summary.last_due) return "not yet";
    const auto text = "after " + human_duration(*summary.last_due - run.last_fault_end);
    return run.due_by.empty() || run.due_by == "none" ? text : fmt::format("{} ({})", text, run.due_by);
  }
  if (summary.peak_garbage_bytes == Bytes{0}) return "-";
  if (!summary.reclaim) return "not yet";
  return *summary.reclaim == Duration{0} ? "at once" : human_duration(*summary.reclaim);
}

namespace {

bool has_loss(const RunOverview& run) {
  return run.summary.outcome == sim::Outcome::loss || run.summary.over_deleted_bytes > Bytes{0};
}

/// The last fault's end as a sentence names it.
std::string last_fault_text(const RunOverview& run) {
  if (run.last_fault.empty()) return "the start";
  const auto window_count = std::count_if(run.faults.begin(), run.faults.end(),
                                          [&](const FaultSpan& fault) { return fault.name == run.last_fault; });
  return fmt::format("{}{} ended", window_count == 1 ? "" : "the last ", run.last_fault);
}

std::string by_remover(const RunOverview& run) {
  if (run.reclaimed_by.empty() || run.reclaimed_by == "none") return "";
  return fmt::format(" ({}{})", run.reclaimed_by_one ? "" : "the last of it by ", run.reclaimed_by);
}

/// What a sentence says about the run; the policy is its subject. Each branch states only what its condition has shown.
std::string predicate(const RunOverview& run) {
  const auto last_fault = last_fault_text(run);
  const auto& summary = run.summary;
  if (summary.over_deleted_bytes > Bytes{0})
    return fmt::format("made {} of retained data unreadable", human_bytes(summary.over_deleted_bytes));
  if (summary.outcome == sim::Outcome::loss) return "broke a safety invariant";
  if (summary.garbage_bytes_never > Bytes{0})
    return fmt::format("keeps {} for ever", human_bytes(summary.garbage_bytes_never));
  if (summary.garbage_bytes_end > Bytes{0}) {
    auto held = fmt::format("still held {} when the world ended", human_bytes(summary.garbage_bytes_end));
    if (!summary.last_due) return held;
    const auto by = run.due_by.empty() || run.due_by == "none" ? std::string{} : fmt::format(" ({})", run.due_by);
    return fmt::format("{}, due {} after {}{}", held, human_duration(*summary.last_due - run.last_fault_end),
                       last_fault, by);
  }
  if (summary.peak_garbage_bytes == Bytes{0}) {
    // Entries of the metadata that nobody works on, with no byte behind them.
    return summary.outcome == sim::Outcome::leak ? "left no byte behind, but broke a liveness invariant"
                                                 : "left nothing behind";
  }
  const auto peak = human_bytes(summary.peak_garbage_bytes);
  if (!summary.reclaim) return fmt::format("held up to {}", peak);
  if (*summary.reclaim > Duration{0}) {
    return fmt::format("held up to {}, gone {} after {}{}", peak, human_duration(*summary.reclaim), last_fault,
                       by_remover(run));
  }
  if (run.last_fault.empty()) return fmt::format("held up to {} for a moment", peak);
  const auto early = run.clean_since ? run.last_fault_end - *run.clean_since : Duration{0};
  if (early < 1s) return fmt::format("was clean when {}", last_fault_text(run));
  return fmt::format("was clean {} before {}", human_duration(early), last_fault_text(run));
}

/// Better runs first: no loss, nothing for ever, nothing at the end, clean sooner, less at the peak, no ghosts.
auto rank(const RunOverview& run) {
  const auto& summary = run.summary;
  const auto reclaim = summary.reclaim ? summary.reclaim->count() : std::numeric_limits<std::int64_t>::max();
  const auto clean_since = run.clean_since ? *run.clean_since : run.last_fault_end;
  return std::tuple{has_loss(run), summary.over_deleted_bytes, summary.garbage_bytes_never, summary.garbage_bytes_end,
                    summary.peak_garbage_bytes == Bytes{0} ? std::int64_t{-1} : reclaim,
                    reclaim == 0 ? clean_since : time_start, summary.peak_garbage_bytes,
                    // Entries without a byte.
                    summary.outcome == sim::Outcome::leak};
}

const RunOverview* find(std::span<const RunOverview> runs, std::string_view policy) {
  const RunOverview* found = nullptr;
  for (const auto& run : runs) {
    if (run.summary.policy != policy) continue;
    if (found != nullptr) return nullptr;  // Several seeds: no one run speaks for the policy.
    found = &run;
  }
  return found;
}

}  // namespace

std::vector<std::size_t> best_to_worst(std::span<const RunOverview> runs) {
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto badness = [&](std::size_t place) {
    const auto& summary = runs[place].summary;
    return std::tuple{has_loss(runs[place]), summary.over_deleted_bytes, summary.garbage_bytes_never,
                      summary.garbage_bytes_end, summary.garbage_byte_time};
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return badness(a) < badness(b); });
  return order;
}

std::string headline_clause(const RunOverview& run) { return fmt::format("{} {}", run.summary.policy, predicate(run)); }

std::string headline(std::span<const RunOverview> runs) {
  if (runs.empty()) return "";
  if (runs.size() == 1) return headline_clause(runs[0]) + ".";
  const auto is_alike = [&](const RunOverview& run) { return predicate(run) == predicate(runs[0]); };
  if (std::all_of(runs.begin(), runs.end(), is_alike))
    return fmt::format("{} {}.",
                       runs.size() == 2 ? "Each of the two runs" : fmt::format("Each of the {} runs", runs.size()),
                       predicate(runs[0]));

  const auto is_better = [](const RunOverview& a, const RunOverview& b) { return rank(a) < rank(b); };
  const auto* worst = &*std::max_element(runs.begin(), runs.end(), is_better);
  const auto* first = find(runs, "kip-dangling");
  const auto* second = find(runs, "kafka-4.0");
  if (first == nullptr || second == nullptr || predicate(*first) == predicate(*second)) {
    first = &*std::min_element(runs.begin(), runs.end(), is_better);
    second = worst;
    // Runs may rank alike and differ in what is to be said of them.
    if (predicate(*first) == predicate(*second)) {
      second = &*std::find_if(runs.begin(), runs.end(),
                              [&](const RunOverview& run) { return predicate(run) != predicate(*first); });
    }
  }
  auto sentence = fmt::format("{}; {}", headline_clause(*first), second->summary.policy + " " + predicate(*second));
  // A loss is never left out.
  if (has_loss(*worst) && worst != first && worst != second) sentence += "; " + headline_clause(*worst);
  return sentence + ".";
}

}  // namespace reports
