#include "cli/replay_session.h"

#include <charconv>
#include <cstdio>
#include <iostream>
#include <unistd.h>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/signals.h"
#include "reports/segment_story.h"
#include "reports/world_state.h"
#include "sim/run.h"
#include "sim/scenario/values.h"

namespace cli {

using model::Failed;
using model::Result;
using model::SimTime;

namespace {

constexpr std::string_view commands_help =
    "e: the next event, t: the next transition, until TIME or @EVENT, why SEGMENT, state, q: enough\n";

/// What the world runs on to.
enum class Goal : std::uint8_t { none, moment, next_event, next_transition };

/// Stands in the world of one look. At a trace record it shows the world from inside of its listener's call, where all
/// is as the ledger and the invariants saw it; at a time, between two events of the kernel.
class Look final : public sim::RunListener {
 public:
  Look(const KeptRun& kept, const Options& options, Console& console)
      : kept_(kept), options_(options), console_(console), asks_(options.step == "ask" || is_terminal(options)) {}

  int run();

  void begin(const sim::WorldView& world) override { state_.emplace(world, run_->ledger()); }
  void record(const sim::TraceRecord& record) override {
    state_->record(record);
    const bool is_transition = std::holds_alternative<sim::Transition>(record.event);
    const bool is_reached = goal_ == Goal::next_event || (goal_ == Goal::next_transition && is_transition) ||
                            (goal_ == Goal::moment && !moment_.time && record.number == moment_.event);
    if (!is_reached) return;
    arrive(goal_ == Goal::moment ? std::string{} : sim::describe(record) + "\n");
  }

 private:
  static bool is_terminal(const Options& options) { return !options.step.empty() && ::isatty(STDIN_FILENO) != 0; }

  void start();
  void run_on();
  void arrive(const std::string& event);
  void go_on();
  void ask();
  void obey(const std::string& line);
  void head_for(std::string_view text);
  bool show_story(std::string_view segment);
  void fail(const std::string& message);

  const KeptRun& kept_;
  const Options& options_;
  Console& console_;
  bool asks_;
  std::optional<sim::WorldRun> run_;
  std::optional<reports::WorldState> state_;
  Goal goal_ = Goal::none;
  Moment moment_;
  bool has_stepped_ = false;
  bool has_ended_ = false;
  int exit_code_ = exit_ok;
};

void Look::fail(const std::string& message) {
  console_.error(message);
  // Who asks can ask again; what the command line says cannot be mended.
  if (!asks_ || !has_stepped_) exit_code_ = exit_usage;
}

int Look::run() {
  run_.emplace(kept_.input.scenario, kept_.input.policies.front(), kept_.folder.summary.seed, this);
  start();
  while (goal_ != Goal::none && exit_code_ == exit_ok) {
    if (const int interrupted = SignalScope::interrupted(); interrupted != 0) return interrupted;
    run_on();
  }
  return exit_code_;
}

void Look::start() {
  if (!options_.until.empty()) return head_for(options_.until);
  if (options_.step.empty()) {
    moment_ = {run_->world().end(), 0};
    goal_ = Goal::moment;
    return;
  }
  go_on();
}

void Look::run_on() {
  if (goal_ == Goal::moment && moment_.time) {
    run_->run_until(*moment_.time);
    run_->ledger().advance(run_->world().now());
    return arrive({});
  }
  if (run_->step()) return;
  has_ended_ = true;
  const bool was_told = goal_ == Goal::moment;
  goal_ = Goal::none;
  const std::uint64_t last = state_->last_number();
  if (was_told) {
    fail(fmt::format("--until @{}: the run has {} events", moment_.event, last));
  } else {
    console_.print("the world ended at {}, after event #{}\n", sim::format_time(run_->world().now()), last);
  }
  if (exit_code_ == exit_ok) go_on();
}

/// `event` is the record that a step led to, described.
void Look::arrive(const std::string& event) {
  const bool is_whole = goal_ == Goal::moment;
  goal_ = Goal::none;
  const bool is_story_alone = options_.until.empty() && options_.step.empty();
  if (!is_whole) {
    console_.print("{}{}", event, state_->describe_changes());
  } else if (!is_story_alone) {
    console_.print(state_->describe());
  }
  if (!options_.why.empty() && !has_stepped_ && !show_story(options_.why)) return;
  go_on();
}

/// Sets the next goal: what --step asks for, then what is read.
void Look::go_on() {
  if (!has_stepped_) {
    has_stepped_ = true;
    if (options_.step == "event") goal_ = Goal::next_event;
    if (options_.step == "transition") goal_ = Goal::next_transition;
    if (goal_ != Goal::none) return;
    if (asks_) console_.print(commands_help);
  }
  if (asks_) ask();
}

void Look::ask() {
  while (goal_ == Goal::none) {
    if (::isatty(STDIN_FILENO) != 0) console_.print("> ");
    (void)console_.flush();
    std::string line;
    if (!std::getline(std::cin, line) || line == "q") {
      asks_ = false;
      return;
    }
    obey(line);
  }
}

void Look::obey(const std::string& line) {
  const std::string_view words = sim::trimmed(line);
  const std::size_t blank = std::min(words.find(' '), words.size());
  const std::string_view verb = words.substr(0, blank);
  const std::string_view rest = sim::trimmed(words.substr(blank));
  if (verb.empty()) return;
  if (verb == "state") return console_.print(state_->describe());
  if (verb == "why") return static_cast<void>(show_story(rest));
  if (verb != "e" && verb != "t" && verb != "until") return console_.print(commands_help);
  if (has_ended_) return console_.print("the world has ended\n");
  if (verb == "e") goal_ = Goal::next_event;
  if (verb == "t") goal_ = Goal::next_transition;
  if (verb == "until") head_for(rest);
}

void Look::head_for(std::string_view text) {
  const auto moment = parse_moment(text, kept_.input.scenario);
  if (!moment) return fail(moment.error());
  const bool is_past =
      moment->time ? *moment->time < run_->world().now() : state_ && moment->event <= state_->last_number();
  if (is_past) return fail(fmt::format("{} has passed; the world only goes on", text));
  if (moment->time && *moment->time > run_->world().end())
    return fail(fmt::format("--until {}: the world ends at {}", text, sim::format_time(run_->world().end())));
  moment_ = *moment;
  goal_ = Goal::moment;
}

/// False when there is no such copy, which is said.
bool Look::show_story(std::string_view segment) {
  const sim::WorldView& world = run_->world();
  const auto found = reports::find_segments(world, segment);
  if (!found) {
    fail(fmt::format("--why {}: {}", segment, found.error()));
    return false;
  }
  // Its past was not kept: the world runs up to here once more for it.
  reports::SegmentPaths paths{*found, state_->last_number()};
  sim::WorldRun past{kept_.input.scenario, kept_.input.policies.front(), kept_.folder.summary.seed, &paths};
  while (!paths.is_complete() && past.step()) {
  }
  console_.print("at {}, after event #{}\n", sim::format_time(world.now()), state_->last_number());
  for (std::size_t i = 0; i < found->size(); ++i) {
    console_.print(reports::tell_segment(world, run_->ledger(), world.segment((*found)[i]), paths.text(i)));
  }
  return true;
}

}  // namespace

Result<Moment, std::string> parse_moment(std::string_view text, const sim::Scenario& scenario) {
  if (text.starts_with('@')) {
    std::uint64_t event = 0;
    const auto [end, problem] = std::from_chars(text.data() + 1, text.data() + text.size(), event);
    if (problem != std::errc{} || end != text.data() + text.size() || event == 0)
      return Failed{
          fmt::format("--until @EVENT takes a number from 1, as the files' column `event` has it, not '{}'", text)};
    return Moment{{}, event};
  }
  if (const auto duration = sim::parse_duration(text, model::Unit::milliseconds);
      duration && *duration >= model::Duration{0}) {
    return Moment{model::time_start + *duration, 0};
  }
  const auto instant = sim::parse_instant(text);
  const auto start = sim::parse_instant(scenario.scenario.start);
  if (instant && start && *instant >= *start) return Moment{model::from_milliseconds(*instant - *start), 0};
  return Failed{fmt::format("--until takes a time as 1h30m, milliseconds, an instant since {}, or @EVENT, not '{}'",
                            scenario.scenario.start, text)};
}

int ReplaySession::run() {
  Look look{kept_, options_, console_};
  return look.run();
}

}  // namespace cli
