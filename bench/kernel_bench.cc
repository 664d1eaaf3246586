// How fast the kernel is, as ratios to a plain heap in the same program: those hold on any machine.
//
// HOLD takes the first of N pending entries and puts it back a while later. PHOLD does so with N coroutines that sleep,
// each with a timer that a crash could cancel.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/campaign_bench.h"
#include "bench/plain_heap.h"
#include "model/task.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/queue.h"
#include "sim/kernel/random.h"
#include "sim/kernel/scope.h"
#include "sim/kernel/wait.h"

namespace {

using sim::Duration;

/// Exponential delays, drawn before the clock runs, the same for everyone; read in order, so they cost next to nothing.
class Delays {
 public:
  static constexpr Duration mean = std::chrono::seconds{90};

  Delays() {
    for (std::size_t i = 0; i < delay_count; ++i) {
      const std::uint64_t draw = sim::keyed_draw(sim::Seed{1}, "bench delay", i);
      delays_[i] = static_cast<std::uint32_t>(sim::exponential(draw, mean).count());
    }
  }
  std::int64_t next() { return delays_[next_++ % delay_count]; }

 private:
  static constexpr std::size_t delay_count = 1 << 16;
  std::vector<std::uint32_t> delays_ = std::vector<std::uint32_t>(delay_count);
  std::size_t next_ = 0;
};

struct TwoLevel {
  sim::TwoLevelQueue queue;
  void push(std::int64_t time_us, std::uint64_t key, std::uint64_t what) { queue.push({time_us, key, what}); }
  sim::QueueEntry pop() {
    sim::QueueEntry entry;
    queue.pop_until(std::numeric_limits<std::int64_t>::max(), entry);
    return entry;
  }
};

struct Plain {
  bench::PlainHeap heap;
  void push(std::int64_t time_us, std::uint64_t key, std::uint64_t what) { heap.push({time_us, key, what}); }
  bench::PlainHeap::Entry pop() { return heap.pop(); }
};

template <class Queue>
void hold(benchmark::State& state) {
  Queue queue;
  Delays delays;
  std::uint64_t sequence = 0;
  const auto count = static_cast<std::uint64_t>(state.range(0));
  for (; sequence < count; ++sequence) queue.push(delays.next(), sequence, sequence);
  const auto step = [&] {
    const auto entry = queue.pop();
    queue.push(entry.time_us + delays.next(), sequence++, entry.what);
  };
  for (std::uint64_t i = 0; i < 10 * count; ++i) step();
  for (auto iteration : state) {
    (void)iteration;
    step();
  }
  state.SetItemsProcessed(state.iterations());
}

model::Task<void> sleep_for_ever(sim::Kernel& kernel, Delays& delays) {
  for (;;) co_await sim::sleep(kernel, Duration{delays.next()});
}

void phold(benchmark::State& state) {
  sim::Kernel kernel;
  Delays delays;
  sim::Scope scope{kernel};
  const auto count = static_cast<std::uint64_t>(state.range(0));
  for (std::uint64_t i = 0; i < count; ++i) scope.spawn(sleep_for_ever(kernel, delays));
  // As worlds run: some time in one go, here about 1,000 events.
  const Duration some_time = Delays::mean * 1000 / state.range(0);
  const auto run = [&] { kernel.run_until(kernel.now() + some_time); };
  while (kernel.event_count() < 10 * count) run();
  const std::uint64_t events_before = kernel.event_count();
  for (auto iteration : state) {
    (void)iteration;
    run();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(kernel.event_count() - events_before));
}

BENCHMARK_TEMPLATE(hold, Plain)->Name("hold/plain")->Arg(1'000)->Arg(100'000);
BENCHMARK_TEMPLATE(hold, TwoLevel)->Name("hold/two_level")->Arg(1'000)->Arg(100'000);
BENCHMARK(phold)->Name("phold")->Arg(1'000)->Arg(100'000);

/// Prints as usual and remembers the medians.
class MedianReporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      const auto rate = run.counters.find("items_per_second");
      if (run.aggregate_name != "median" || rate == run.counters.end()) continue;
      rates_[run.run_name.function_name + "/" + run.run_name.args] = rate->second;
    }
    ConsoleReporter::ReportRuns(runs);
  }

  void print_ratio(const char* what, const std::string& name, const std::string& base, double wanted) const {
    const auto rate = rates_.find(name);
    const auto base_rate = rates_.find(base);
    if (rate == rates_.end() || base_rate == rates_.end()) return;
    fmt::print("{}: {:.2f} (wanted: {:.1f})\n", what, rate->second / base_rate->second, wanted);
  }

  /// Of the plain heap at 1,000 pending; nothing when that was filtered out.
  std::optional<double> step_seconds() const {
    const auto rate = rates_.find("hold/plain/1000");
    return rate == rates_.end() ? std::nullopt : std::optional{1 / rate->second};
  }

 private:
  std::map<std::string, double> rates_;
};

}  // namespace

int main(int argc, char** argv) {
  // In turns, so that a busy moment of the machine meets all alike. The command line comes later and counts.
  std::vector<std::string> defaults{"--benchmark_enable_random_interleaving=true", "--benchmark_repetitions=7",
                                    "--benchmark_min_time=0.2", "--benchmark_report_aggregates_only=true"};
  std::vector<char*> arguments{argv[0]};
  for (std::string& option : defaults) arguments.push_back(option.data());
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  int argument_count = static_cast<int>(arguments.size());
  benchmark::Initialize(&argument_count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(argument_count, arguments.data())) return 1;

  MedianReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  reporter.print_ratio("HOLD(1,000), two-level / plain heap", "hold/two_level/1000", "hold/plain/1000", 1.2);
  reporter.print_ratio("HOLD(100,000), two-level / plain heap", "hold/two_level/100000", "hold/plain/100000", 1.2);
  reporter.print_ratio("PHOLD(1,000) with cancellable timers / HOLD(1,000) plain heap", "phold/1000", "hold/plain/1000",
                       1.0);
  if (const auto step = reporter.step_seconds()) bench::print_campaign_ratios(*step);
  return 0;
}
