// A campaign's folder while it grows, so that it can be killed at any time and go on.
//
// The folder stands from the start, with verdict `unfinished` in its manifest. Each process works in a subfolder of its
// own, .work-XXXXXX, and leaves a checkpoint there now and then: how many seeds are done, how long runs.csv is by then,
// and what they come to. Who resumes copies from the checkpoint that is furthest. At the end the files are renamed into
// the folder and the manifest is written last. So two processes on one folder disturb each other in nothing: both
// write the same bytes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/campaign_files.h"

namespace reports {

class CampaignFolder {
 public:
  /// Makes the folder with `manifest`, or joins the unfinished one of the same campaign at `place`; another one's is a
  /// problem that says what differs.
  static Result<CampaignFolder, Problem> open(const std::string& place, const Manifest& manifest);
  ~CampaignFolder();
  CampaignFolder(CampaignFolder&& other) noexcept;
  CampaignFolder& operator=(CampaignFolder&&) = delete;

  /// Takes over the furthest checkpoint; how many seeds it holds, 0 without one.
  std::uint64_t resume(sim::CampaignTally& tally);
  /// The subfolder of this process, for what is put in place at the end: failures/NAME.
  const std::string& work() const { return work_; }
  const std::string& place() const { return place_; }

  /// Rows of one seed, in order; `folders` as runs.csv has them.
  void add(const std::vector<sim::Summary>& summaries, const std::vector<std::string>& folders);
  /// Puts everything so far on disk; `seeds` is how many that are.
  Result<void, Problem> checkpoint(std::uint64_t seeds, const sim::CampaignTally& tally);
  /// The rows written so far.
  std::string runs_path() const { return work_ + "/runs.csv"; }
  /// Moves it all into place. `kept` has the folders of rows that got one only now, by number. What was left to go on
  /// from, by dead processes too, goes once the campaign is whole.
  Result<void, Problem> finish(const sim::CampaignTally& tally, const std::map<std::uint64_t, std::string>& kept,
                               const Manifest& manifest, bool is_whole);

 private:
  CampaignFolder() = default;
  Result<void, Problem> make_work_folder();
  bool take_over(const std::string& other, sim::CampaignTally& tally, std::uint64_t& seeds);
  void show_rows();
  Result<void, Problem> move_kept();
  void remove_dead_work() const;

  std::string place_;
  std::string work_;
  /// Held as long as this process lives: who gets it knows that nobody works in the subfolder.
  int lock_ = -1;
  std::vector<sim::Summary> summaries_;
  std::vector<std::string> folders_;
  std::uint64_t checkpoints_ = 0;
};

/// What differs between two campaigns, as `seeds 1..10 instead of 1..20`; empty when one can go on as the other.
std::string campaign_difference(const Manifest& there, const Manifest& wanted);

}  // namespace reports
