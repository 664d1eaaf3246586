#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/lane_book.h"
#include "reports/page_curves.h"
#include "reports/stored_run.h"

namespace reports {

/// A folder that the user named.
struct PageFolder {
  std::string path = {};
  Manifest manifest = {};
  /// Whether it has a compare.csv.
  bool has_comparison = false;
};

/// One run that the page shows.
struct PageRun {
  StoredRun stored = {};
  TopicCurves curves = {};
  /// What the lanes say in sums; their columns are a part of their own.
  LaneBook book = {};
};

struct PageData {
  std::vector<PageFolder> folders = {};
  std::vector<PageRun> runs = {};
  std::uint64_t runs_left_out = 0;
};

/// Everything but the lanes and the curves of single topics, as the page's script reads it (reports/web/src/data.ts has
/// the shape).
Result<std::string, Problem> to_json(const PageData& data);
/// The curves of a run's topics.
std::string to_json(const TopicCurves& curves);
/// A folder as the page names it: a page is passed on, so of an absolute path nothing but what tells the page's folders
/// apart.
std::string shown_path(const PageData& data, const std::string& path);
/// The sentence above the page and the browser's title.
std::string page_headline(const PageData& data);

}  // namespace reports
