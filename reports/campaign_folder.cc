#include "reports/campaign_folder.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "reports/csv.h"

namespace reports {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view work_prefix = ".work-";
constexpr std::string_view lock_name = "/lock";
constexpr std::string_view checkpoint_name = "/checkpoint.csv";

struct Checkpoint {
  std::uint64_t seeds = 0;
  std::uint64_t runs_bytes = 0;
  std::int64_t world_ms = 0;
  std::uint64_t number = 0;
};

std::string failures_part(std::uint64_t number) { return fmt::format("/failures-{}.csv", number); }
std::string goals_part(std::uint64_t number) { return fmt::format("/goals-{}.csv", number); }

std::optional<Checkpoint> read_checkpoint(const std::string& work) {
  std::optional<Checkpoint> found;
  const auto read = read_csv(work + std::string{checkpoint_name}, [&](const CsvRow& row) {
    found = Checkpoint{static_cast<std::uint64_t>(row.integer("seeds")),
                       static_cast<std::uint64_t>(row.integer("runs_bytes")), row.integer("world_ms"),
                       static_cast<std::uint64_t>(row.integer("number"))};
  });
  return read ? found : std::nullopt;
}

std::vector<std::string> work_folders(const std::string& place) {
  std::vector<std::string> folders;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator{place, error}) {
    if (entry.path().filename().string().starts_with(work_prefix)) folders.push_back(entry.path().string());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

/// The lock of a process's subfolder; below 0 when somebody else holds it.
int take_lock(const std::string& work) {
  const std::string path = work + std::string{lock_name};
  const int lock = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock < 0) return -1;
  if (::flock(lock, LOCK_EX | LOCK_NB) == 0) return lock;
  ::close(lock);
  return -1;
}

Result<void, Problem> renamed(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) return Failed{problem_with(to, errno)};
  return {};
}

}  // namespace

std::string campaign_difference(const Manifest& there, const Manifest& wanted) {
  const auto differs = [](std::string_view what, std::string_view a, std::string_view b) {
    return a == b ? std::string{} : fmt::format("{} {} instead of {}", what, a.empty() ? "none" : a, b);
  };
  const auto policies = [](const Manifest& manifest) { return fmt::format("{}", fmt::join(manifest.policies, "+")); };
  for (const std::string& difference :
       {differs("kind", there.kind, wanted.kind), differs("scenario", there.scenario, wanted.scenario),
        differs("scenario_hash", there.scenario_hash, wanted.scenario_hash),
        differs("policies", policies(there), policies(wanted)), differs("seeds", there.seeds, wanted.seeds),
        differs("commit", there.commit, wanted.commit), differs("shard", there.shard, wanted.shard)}) {
    if (!difference.empty()) return difference;
  }
  return {};
}

Result<CampaignFolder, Problem> CampaignFolder::open(const std::string& place, const Manifest& manifest) {
  CampaignFolder folder;
  folder.place_ = place;
  std::error_code error;
  fs::create_directories(place, error);
  if (error) return Failed{fmt::format("{}: {}", place, error.message())};
  if (const auto there = read_manifest(place)) {
    if (const std::string difference = campaign_difference(*there, manifest); !difference.empty())
      return Failed{fmt::format("{}: holds another campaign: {}", place, difference)};
  } else if (fs::exists(place + "/manifest.json", error)) {
    return Failed{there.error()};
  } else if (auto written = write_manifest(place, manifest); !written) {
    return Failed{written.error()};
  }
  if (auto made = folder.make_work_folder(); !made) return Failed{made.error()};
  return folder;
}

CampaignFolder::CampaignFolder(CampaignFolder&& other) noexcept
    : place_(std::move(other.place_)),
      work_(std::move(other.work_)),
      lock_(std::exchange(other.lock_, -1)),
      summaries_(std::move(other.summaries_)),
      folders_(std::move(other.folders_)),
      checkpoints_(other.checkpoints_) {}

CampaignFolder::~CampaignFolder() {
  if (lock_ >= 0) ::close(lock_);
}

Result<void, Problem> CampaignFolder::make_work_folder() {
  std::string name = fmt::format("{}/{}XXXXXX", place_, work_prefix);
  if (::mkdtemp(name.data()) == nullptr) return Failed{problem_with(place_, errno)};
  ::chmod(name.c_str(), 0755);  // mkdtemp's is for the owner alone; another user may resume.
  work_ = std::move(name);
  lock_ = take_lock(work_);
  if (lock_ < 0) return Failed{problem_with(work_, errno)};
  return append_runs(runs_path(), {}, {});
}

bool CampaignFolder::take_over(const std::string& other, sim::CampaignTally& tally, std::uint64_t& seeds) {
  const auto checkpoint = read_checkpoint(other);
  if (!checkpoint || checkpoint->seeds <= seeds) return false;
  sim::CampaignTally part;
  part.world_ms = checkpoint->world_ms;
  const auto read = read_tally(other + failures_part(checkpoint->number), other + goals_part(checkpoint->number), part);
  std::error_code error;
  fs::copy_file(other + "/runs.csv", runs_path(), fs::copy_options::overwrite_existing, error);
  // What came after the checkpoint is done again.
  if (read && !error && fs::file_size(runs_path(), error) >= checkpoint->runs_bytes && !error)
    fs::resize_file(runs_path(), checkpoint->runs_bytes, error);
  if (!read || error || fs::file_size(runs_path(), error) != checkpoint->runs_bytes) {
    // The other process went on meanwhile; from the start, then.
    fs::remove(runs_path(), error);
    (void)append_runs(runs_path(), {}, {});
    seeds = 0;
    tally = {};
    return false;
  }
  seeds = checkpoint->seeds;
  tally = std::move(part);
  return true;
}

std::uint64_t CampaignFolder::resume(sim::CampaignTally& tally) {
  std::uint64_t seeds = 0;
  for (const std::string& other : work_folders(place_)) {
    if (other != work_) take_over(other, tally, seeds);
  }
  return seeds;
}

void CampaignFolder::add(const std::vector<sim::Summary>& summaries, const std::vector<std::string>& folders) {
  summaries_.insert(summaries_.end(), summaries.begin(), summaries.end());
  folders_.insert(folders_.end(), folders.begin(), folders.end());
}

Result<void, Problem> CampaignFolder::checkpoint(std::uint64_t seeds, const sim::CampaignTally& tally) {
  if (auto written = append_runs(runs_path(), summaries_, folders_); !written) return written;
  summaries_.clear();
  folders_.clear();
  const std::uint64_t number = ++checkpoints_;
  if (auto written = write_failures(work_ + failures_part(number), tally); !written) return written;
  if (auto written = write_goals(work_ + goals_part(number), tally); !written) return written;
  show_rows();
  std::error_code error;
  const auto bytes = fs::file_size(runs_path(), error);
  if (error) return Failed{fmt::format("{}: {}", runs_path(), error.message())};
  const std::string text =
      fmt::format("seeds,runs_bytes,world_ms,number\n{},{},{},{}\n", seeds, bytes, tally.world_ms, number);
  if (auto written = replace_file(work_ + std::string{checkpoint_name}, text); !written) return written;
  if (auto written = write_failures(work_ + "/failures.shown", tally); !written) return written;
  if (auto written = write_goals(work_ + "/goals.shown", tally); !written) return written;
  if (auto moved = renamed(work_ + "/failures.shown", place_ + "/failures.csv"); !moved) return moved;
  if (auto moved = renamed(work_ + "/goals.shown", place_ + "/goals.csv"); !moved) return moved;
  fs::remove(work_ + failures_part(number - 1), error);
  fs::remove(work_ + goals_part(number - 1), error);
  return {};
}

/// So that `--partial` finds what a killed campaign had: the same file under the name that it will have.
void CampaignFolder::show_rows() {
  if (checkpoints_ > 1) return;
  const std::string link = work_ + "/runs.link";
  std::error_code error;
  fs::remove(link, error);
  if (::link(runs_path().c_str(), link.c_str()) == 0) (void)renamed(link, place_ + "/runs.csv");
}

Result<void, Problem> CampaignFolder::move_kept() {
  const std::string from = work_ + "/failures";
  std::error_code error;
  if (!fs::exists(from, error)) return {};
  fs::create_directories(place_ + "/failures", error);
  if (error) return Failed{fmt::format("{}/failures: {}", place_, error.message())};
  for (const auto& entry : fs::directory_iterator{from, error}) {
    const std::string to = place_ + "/failures/" + entry.path().filename().string();
    // Another process was first, with the same run.
    if (fs::exists(to, error)) continue;
    if (auto moved = renamed(entry.path().string(), to); !moved && !fs::exists(to, error)) return moved;
  }
  return {};
}

void CampaignFolder::remove_dead_work() const {
  std::error_code error;
  for (const std::string& other : work_folders(place_)) {
    if (other == work_) continue;
    const int lock = take_lock(other);
    if (lock < 0) continue;
    fs::remove_all(other, error);
    ::close(lock);
  }
}

Result<void, Problem> CampaignFolder::finish(const sim::CampaignTally& tally,
                                             const std::map<std::uint64_t, std::string>& kept, const Manifest& manifest,
                                             bool is_whole) {
  const std::string runs = work_ + "/runs.final.csv";
  const std::string failures = work_ + "/failures.csv";
  const std::string goals = work_ + "/goals.csv";
  if (auto copied = copy_runs(runs_path(), runs, kept); !copied) return copied;
  if (auto written = write_failures(failures, tally); !written) return written;
  if (auto written = write_goals(goals, tally); !written) return written;
  if (auto moved = move_kept(); !moved) return moved;
  if (auto moved = renamed(runs, place_ + "/runs.csv"); !moved) return moved;
  if (auto moved = renamed(failures, place_ + "/failures.csv"); !moved) return moved;
  if (auto moved = renamed(goals, place_ + "/goals.csv"); !moved) return moved;
  if (auto written = write_manifest(place_, manifest); !written) return written;
  // Another keeps its work, for who resumes.
  if (!is_whole) return {};
  std::error_code error;
  fs::remove_all(work_, error);
  remove_dead_work();
  return {};
}

}  // namespace reports
