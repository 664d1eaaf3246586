#include "reports/aside_folder.h"

#include <cerrno>
#include <filesystem>
#include <stdlib.h>
#include <sys/stat.h>
#include <system_error>
#include <utility>

namespace reports {
namespace {

namespace fs = std::filesystem;

fs::path without_trailing_slash(const std::string& place) {
  fs::path path = fs::path{place}.lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

/// A name beside `place` that nobody else has, as a new folder or as nothing yet.
Result<std::string, Problem> make_beside(const fs::path& place) {
  const auto parent = place.has_parent_path() ? place.parent_path() : fs::path{"."};
  std::string name = (parent / ("." + place.filename().string() + ".partial-XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) return Failed{problem_with(place.string(), errno)};
  ::chmod(name.c_str(), 0755);  // mkdtemp's is for the owner alone; what is shared with CI is read by others.
  return name;
}

bool is_something(const fs::path& place) {
  std::error_code error;
  const auto status = fs::symlink_status(place, error);
  if (!fs::exists(status)) return false;
  return !fs::is_directory(status) || !fs::is_empty(place, error) || error;
}

/// The folders above `place` that are missing, outermost first.
std::vector<std::string> missing_parents(const fs::path& place) {
  std::vector<std::string> missing;
  std::error_code error;
  for (auto parent = place.parent_path(); !parent.empty() && !fs::exists(parent, error); parent = parent.parent_path())
    missing.insert(missing.begin(), parent.string());
  return missing;
}

}  // namespace

AsideFolder::~AsideFolder() { discard(); }

AsideFolder::AsideFolder(AsideFolder&& other) noexcept
    : place_(std::move(other.place_)),
      aside_(std::exchange(other.aside_, {})),
      existing_(other.existing_),
      made_parents_(std::exchange(other.made_parents_, {})) {}

AsideFolder& AsideFolder::operator=(AsideFolder&& other) noexcept {
  if (this == &other) return *this;
  discard();
  place_ = std::move(other.place_);
  aside_ = std::exchange(other.aside_, {});
  existing_ = other.existing_;
  made_parents_ = std::exchange(other.made_parents_, {});
  return *this;
}

Result<AsideFolder, Problem> AsideFolder::make(const std::string& place, Existing existing) {
  auto path = without_trailing_slash(place);
  std::error_code error;
  // A link to a folder on another disk stays a link.
  if (fs::is_symlink(path, error) && fs::exists(path, error)) path = fs::canonical(path, error);
  if (path.empty()) return Failed{Problem{"a folder needs a name"}};
  if (existing == Existing::refuse && is_something(path)) return Failed{problem_with(path.string(), EEXIST)};

  AsideFolder folder;
  folder.place_ = path.string();
  folder.existing_ = existing;
  for (const auto& parent : missing_parents(path)) {
    if (::mkdir(parent.c_str(), 0777) == 0) {
      folder.made_parents_.push_back(parent);
    } else if (errno != EEXIST) {
      return Failed{problem_with(parent, errno)};
    }
  }
  auto aside = make_beside(path);
  if (!aside) return Failed{aside.error()};
  folder.aside_ = *aside;
  return folder;
}

Result<void, Problem> AsideFolder::put_in_place() {
  // Another writer of the same place may come between our looks at it; the last one wins, as with a file.
  for (int attempt = 0; attempt < 8; ++attempt) {
    if (::rename(aside_.c_str(), place_.c_str()) == 0) {
      aside_.clear();
      made_parents_.clear();
      return {};
    }
    const int error = errno;
    const bool is_taken = error == ENOTEMPTY || error == EEXIST || error == ENOTDIR;
    if (!is_taken || existing_ == Existing::refuse) {
      discard();
      return Failed{problem_with(place_, error)};
    }
    if (auto replaced = replace(); !replaced) {
      discard();
      return replaced;
    }
    if (aside_.empty()) return {};
  }
  discard();
  return Failed{problem_with(place_, EEXIST)};
}

Result<void, Problem> AsideFolder::replace() {
  auto holder = make_beside(place_);
  if (!holder) return Failed{holder.error()};
  const auto old = (fs::path{*holder} / "old").string();
  const bool moved_away = ::rename(place_.c_str(), old.c_str()) == 0;
  const int move_error = moved_away || errno == ENOENT ? 0 : errno;
  if (moved_away) {
    if (::rename(aside_.c_str(), place_.c_str()) == 0) {
      aside_.clear();
      made_parents_.clear();
    } else {
      // Back to where it stood, unless somebody else's newer folder stands there by now.
      (void)::rename(old.c_str(), place_.c_str());
    }
  }
  std::error_code ignored;
  fs::remove_all(*holder, ignored);
  if (move_error != 0) return Failed{problem_with(place_, move_error)};
  return {};
}

void AsideFolder::discard() {
  std::error_code ignored;
  if (!aside_.empty()) fs::remove_all(aside_, ignored);
  aside_.clear();
  // Only while they are empty: somebody else may have put something there.
  for (auto parent = made_parents_.rbegin(); parent != made_parents_.rend(); ++parent) fs::remove(*parent, ignored);
  made_parents_.clear();
}

}  // namespace reports
