#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reports/import/block_reader.h"
#include "reports/import/dump_fold.h"

namespace reports {

/// What the lines of all inputs were: taken, repeated, other_topics, ignored, unreadable, undecodable and joined add up
/// to `lines`.
struct DumpCounts {
  /// One that could not be read, for people.
  struct Unreadable {
    std::string file;
    std::uint64_t line = 0;
    std::string reason;
  };
  static constexpr std::size_t told_most = 3;

  std::uint64_t files = 0;
  std::uint64_t lines = 0;
  std::uint64_t taken = 0;
  std::uint64_t repeated = 0;
  std::uint64_t other_topics = 0;
  /// No record in them, or a snapshot's.
  std::uint64_t ignored = 0;
  std::uint64_t unreadable = 0;
  /// Lines that went on with the record of the line before, which is counted as what it was.
  std::uint64_t joined = 0;
  /// Of kafka-dump-log's `Error at offset`; not among the unreadable.
  std::uint64_t undecodable = 0;
  /// Records without partition and offset, which cannot be told from repetitions.
  std::uint64_t without_offset = 0;
  /// The first `told_most` of the unreadable.
  std::vector<Unreadable> told;
  /// An input that ended in the middle of packed data or could not be read further; partitions that had to be guessed.
  std::vector<std::string> notes;
};

/// Reads dumps into a fold: one after the other in the order of their first offsets, standard input where it was named.
class DumpReader {
 public:
  explicit DumpReader(DumpFold& fold, ShouldStop stop = nullptr) : fold_(fold), stop_(stop) {}
  /// Told now and then how many lines have been read.
  void on_progress(std::function<void(std::uint64_t lines)> tell) { tell_progress_ = std::move(tell); }

  /// The paths, `-` for standard input. Nothing has been read when one of them cannot be opened.
  Result<void, Problem> read(const std::vector<std::string>& paths);
  /// One input that is open.
  void read(const std::string& name, std::unique_ptr<BlockSource> source);

  const DumpCounts& counts() const { return counts_; }

 private:
  struct Input;

  void read_line(Input& input, std::string_view line);
  void take(Input& input, const DumpLine& line);
  void tell_unreadable(const Input& input, std::uint64_t line, std::string reason);
  bool complete(Input& input, std::string_view line);
  void give_up(Input& input);
  std::int64_t stream_of(Input& input, const DumpPlace& place, const DumpRecord* record);

  DumpFold& fold_;
  ShouldStop stop_;
  std::function<void(std::uint64_t)> tell_progress_;
  DumpCounts counts_;
};

}  // namespace reports
