#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/file.h"

namespace reports {

/// A folder that is written beside its place and renamed into it at the end: whoever looks finds all of it or nothing.
/// Unless put in place, all traces of it go with this object.
class AsideFolder {
 public:
  enum class Existing : std::uint8_t {
    refuse,   ///< Something at the place that is not an empty folder is a problem.
    replace,  ///< What is there goes away when the new folder takes its place.
  };

  AsideFolder() = default;
  ~AsideFolder();
  AsideFolder(AsideFolder&& other) noexcept;
  AsideFolder& operator=(AsideFolder&& other) noexcept;

  /// Makes the folder aside, parents included.
  static Result<AsideFolder, Problem> make(const std::string& place, Existing existing);

  /// Where to write meanwhile; empty once it is in place.
  const std::string& path() const { return aside_; }
  const std::string& place() const { return place_; }

  /// Renames it into place. After a problem nothing of it is left, and what stood at the place before still stands.
  Result<void, Problem> put_in_place();
  /// Removes what was written, and the parents that were made for it.
  void discard();

 private:
  /// One try to move away what stands at the place and to take it; aside_ is empty once that worked.
  Result<void, Problem> replace();

  std::string place_;
  std::string aside_;
  Existing existing_ = Existing::refuse;
  /// Parents that did not exist before, outermost first.
  std::vector<std::string> made_parents_;
};

}  // namespace reports
