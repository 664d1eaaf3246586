#include "cli/worlds.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "cli/signals.h"
#include "reports/human.h"

namespace cli {

namespace {

using Seconds = std::chrono::duration<double>;

/// How often signals and progress are looked at.
constexpr auto look_every = std::chrono::milliseconds{100};
/// How long an interrupted world may take to reach its next record.
constexpr auto patience = std::chrono::seconds{10};
constexpr std::size_t last_events_count = 20;

/// What the threads share; each holds it, so that one left behind finds it alive.
struct Shared {
  std::shared_ptr<const Input> input;
  std::vector<WorldJob> jobs;
  WorldSettings settings;

  std::mutex mutex;
  std::condition_variable changed;
  // Guarded by the mutex.
  std::vector<std::optional<WorldDone>> done;
  std::size_t next_job = 0;
  std::size_t done_count = 0;
  int working = 0;
  // Read at every record.
  std::atomic<bool> stop{false};
  /// Where each thread's world is, in microseconds of its time.
  std::vector<std::atomic<std::int64_t>> progress;
  /// Where every world ends.
  std::atomic<std::int64_t> world_end{1};

  Shared(std::shared_ptr<const Input> in, std::vector<WorldJob> list, const WorldSettings& with)
      : input(std::move(in)),
        jobs(std::move(list)),
        settings(with),
        done(jobs.size()),
        progress(static_cast<std::size_t>(with.threads)) {}
};

/// Stands between a world and its folder: tells how far it is, and ends the folder and the thread when all shall stop.
class WatchedRun final : public sim::RunListener {
 public:
  WatchedRun(Shared& shared, std::size_t thread, std::unique_ptr<reports::RunFolderWriter> writer)
      : shared_(shared), progress_(shared.progress[thread]), writer_(std::move(writer)) {}

  void begin(const sim::WorldView& world) override {
    shared_.world_end = std::max<std::int64_t>(1, world.end().time_since_epoch().count());
    if (writer_) writer_->begin(world);
  }
  void record(const sim::TraceRecord& record) override {
    if (shared_.stop.load(std::memory_order_relaxed)) stop_for_ever();
    progress_.store(record.time.time_since_epoch().count(), std::memory_order_relaxed);
    if (writer_) writer_->record(record);
  }
  void curve(const sim::CurvePoint& point) override {
    if (shared_.stop.load(std::memory_order_relaxed)) stop_for_ever();
    if (writer_) writer_->curve(point);
  }
  void end(const sim::RunResult& result) override {
    if (writer_) writer_->end(result);
  }

  std::optional<std::string> finish() {
    if (!writer_) return std::nullopt;
    if (auto finished = writer_->finish(); !finished) return finished.error();
    return std::nullopt;
  }

 private:
  /// A world cannot be left in the middle, so its thread stays here; the process is about to end.
  [[noreturn]] void stop_for_ever() {
    writer_.reset();
    std::unique_lock lock{shared_.mutex};
    --shared_.working;
    shared_.changed.notify_all();
    for (;;) {
      std::condition_variable never;
      never.wait(lock);
    }
  }

  Shared& shared_;
  std::atomic<std::int64_t>& progress_;
  std::unique_ptr<reports::RunFolderWriter> writer_;
};

WorldDone run_one(Shared& shared, std::size_t thread, const WorldJob& job) {
  WorldDone done;
  const auto world = world_of(*shared.input, job.policy, job.seed);
  if (!world) {
    done.problem = world.error();
    return done;
  }
  std::unique_ptr<reports::RunFolderWriter> writer;
  if (!job.folder.empty()) {
    using Existing = reports::AsideFolder::Existing;
    reports::RunFolderOptions options;
    options.folder = job.folder;
    options.existing = job.replace_folder ? Existing::replace : Existing::refuse;
    options.keep = shared.settings.keep;
    options.metrics = shared.settings.metrics;
    options.dump_metadata = shared.settings.dump_metadata;
    options.manifest = shared.settings.manifest;
    writer = std::make_unique<reports::RunFolderWriter>(std::move(options));
  }
  WatchedRun watched{shared, thread, std::move(writer)};
  done.result = sim::run_world(*world->scenario, world->policy, job.seed, &watched);
  if (shared.settings.verify) {
    WatchedRun again{shared, thread, nullptr};
    done.second_hash = sim::run_world(*world->scenario, world->policy, job.seed, &again).summary.trace_hash;
  }
  done.problem = watched.finish();
  done.overview = reports::overview(done.result, *world->scenario);
  // They name segments of a world that is gone.
  done.result.leftovers.clear();
  return done;
}

void work(const std::shared_ptr<Shared>& shared, std::size_t thread) {
  std::unique_lock lock{shared->mutex};
  while (shared->next_job < shared->jobs.size() && !shared->stop) {
    const std::size_t job = shared->next_job++;
    lock.unlock();
    WorldDone done;
    try {
      done = run_one(*shared, thread, shared->jobs[job]);
    } catch (const std::exception& problem) {
      done.problem = problem.what();
    }
    lock.lock();
    shared->progress[thread] = 0;
    shared->done[job] = std::move(done);
    ++shared->done_count;
    shared->changed.notify_all();
  }
  --shared->working;
  shared->changed.notify_all();
}

void show_progress(Shared& shared, std::size_t done_count, std::chrono::steady_clock::time_point begun,
                   Console& console) {
  double worlds = static_cast<double>(done_count);
  const double whole_world = static_cast<double>(shared.world_end);
  for (const auto& time : shared.progress)
    worlds += static_cast<double>(time.load(std::memory_order_relaxed)) / whole_world;
  const double elapsed = Seconds{std::chrono::steady_clock::now() - begun}.count();
  const model::Duration spent = std::chrono::seconds{static_cast<std::int64_t>(elapsed)};
  const double share = worlds / static_cast<double>(shared.jobs.size());
  console.progress(fmt::format("{} of {} worlds done, {:.0f} %, {}", done_count, shared.jobs.size(), 100 * share,
                               reports::human_duration(spent)),
                   elapsed);
}

/// Ends the threads: those in a world at its next record. Called with the lock held.
void stop_threads(Shared& shared, std::unique_lock<std::mutex>& lock) {
  shared.stop = true;
  shared.changed.wait_for(lock, patience, [&] { return shared.working == 0; });
}

}  // namespace

int run_worlds(std::shared_ptr<const Input> input, std::vector<WorldJob> jobs, const WorldSettings& settings,
               Console& console, const std::function<bool(std::size_t job, WorldDone done)>& take) {
  WorldSettings fitting = settings;
  fitting.threads = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(settings.threads), jobs.size()));
  const auto shared = std::make_shared<Shared>(std::move(input), std::move(jobs), fitting);
  const auto begun = std::chrono::steady_clock::now();
  shared->working = fitting.threads;
  std::vector<std::thread> threads;
  for (int i = 0; i < fitting.threads; ++i) {
    threads.emplace_back([shared, i] { work(shared, static_cast<std::size_t>(i)); });
  }

  int interrupted = 0;
  bool wanted = true;
  std::size_t next = 0;
  std::unique_lock lock{shared->mutex};
  while (next < shared->jobs.size() && wanted && interrupted == 0) {
    if (!shared->done[next]) {
      shared->changed.wait_for(lock, look_every);
      const std::size_t done_count = shared->done_count;
      lock.unlock();
      interrupted = SignalScope::interrupted();
      show_progress(*shared, done_count, begun, console);
      lock.lock();
      continue;
    }
    WorldDone done = std::move(*shared->done[next]);
    lock.unlock();
    wanted = take(next++, std::move(done));
    interrupted = SignalScope::interrupted();
    lock.lock();
  }
  if (next < shared->jobs.size()) stop_threads(*shared, lock);
  std::size_t missing = 0;
  for (; wanted && next < shared->jobs.size(); ++next) {
    if (shared->done[next]) {
      wanted = take(next, std::move(*shared->done[next]));
    } else {
      ++missing;
    }
  }
  const bool complete = wanted && missing == 0;
  lock.unlock();
  console.end_progress();
  for (std::thread& thread : threads) {
    if (complete) {
      thread.join();
    } else {
      thread.detach();
    }
  }
  return complete ? 0 : interrupted;
}

namespace {

/// Keeps the last records up to one of them and describes them while their world still stands.
class LastEvents final : public sim::RunListener {
 public:
  explicit LastEvents(std::uint64_t last) : last_(last) {}
  void record(const sim::TraceRecord& record) override {
    if (record.number > last_) return;
    records_.push_back(record);
    if (records_.size() > last_events_count) records_.pop_front();
  }
  void end(const sim::RunResult&) override {
    for (const sim::TraceRecord& record : records_) text_ += sim::describe(record) + "\n";
  }
  const std::string& text() const { return text_; }

 private:
  std::uint64_t last_;
  std::deque<sim::TraceRecord> records_;
  std::string text_;
};

}  // namespace

std::string last_events(const sim::Scenario& scenario, const sim::PolicyChoice& policy, std::uint64_t seed,
                        std::uint64_t event) {
  LastEvents listener{event};
  (void)sim::run_world(scenario, policy, seed, &listener);
  return listener.text();
}

std::string last_events(const Input& input, const WorldJob& job, std::uint64_t event) {
  const auto world = world_of(input, job.policy, job.seed);
  return world ? last_events(*world->scenario, world->policy, job.seed, event) : std::string{};
}

}  // namespace cli
