#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "reports/file.h"

namespace reports {

/// The page's bundle, as the build made it of reports/web; both empty in a build without npm.
struct PageBundle {
  std::string_view script;
  std::string_view style;
};
PageBundle page_bundle();
inline bool has_page() { return !page_bundle().script.empty(); }

struct PageOptions {
  /// Folders of run or compare; several are laid over each other.
  std::span<const std::string> folders;
  /// The most that one page shows; it says what it leaves out.
  std::size_t runs = 12;
  std::size_t copies = 120'000;
  std::size_t curve_rows = 6'000;
  /// What the lanes of all runs may take in the file, packed, without their ids; the rest of it is a few millions.
  std::size_t lane_bytes = 20'000'000;
  /// Takes unfinished folders as well.
  bool partial = false;
};

/// Writes one HTML file that holds all it shows and asks nobody for anything. Written aside and renamed.
Result<void, Problem> write_page(const std::string& path, const PageOptions& options);

}  // namespace reports
