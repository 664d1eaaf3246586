#include "sim/scenario/catalogue.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "sim/scenario/embedded.h"

namespace sim {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "embedded:";
constexpr std::string_view folder = "scenarios";
constexpr std::uintmax_t size_max = std::uintmax_t{256} << 20;

const EmbeddedFile* find_embedded(std::string_view name) {
  for (const EmbeddedFile& file : embedded_scenarios()) {
    if (file.name == name) return &file;
  }
  return nullptr;
}

}  // namespace

Result<std::string, std::string> CatalogueFiles::read(const std::string& path) const {
  using Error = Failed<std::string>;
  if (path.starts_with(prefix)) {
    const EmbeddedFile* file = find_embedded(std::string_view{path}.substr(prefix.size()));
    if (file == nullptr) return Error{"no such file in the catalogue"};
    return std::string{file->text};
  }
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return Error{"no such file"};
  if (fs::is_directory(status)) return Error{"a folder, no file"};
  const std::uintmax_t size = fs::file_size(path, error);
  if (!error && size > size_max) return Error{"larger than 256 MiB"};
  std::ifstream input{path, std::ios::binary};
  std::ostringstream text;
  if (input) text << input.rdbuf();
  if (!input) return Error{"cannot be read"};
  return text.str();
}

std::vector<std::string> CatalogueFiles::names() const {
  std::vector<std::string> names;
  const auto add = [&](const std::string& file) {
    if (file.ends_with(".ini")) names.push_back(file.substr(0, file.size() - 4));
  };
  for (const EmbeddedFile& file : embedded_scenarios()) add(std::string{file.name});
  std::error_code error;
  for (fs::directory_iterator at{folder, error}; !error && at != fs::directory_iterator{}; at.increment(error)) {
    add(at->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::optional<std::string> CatalogueFiles::find(std::string_view name) const {
  if (!is_plain_name(name)) return std::nullopt;
  const std::string file = std::string{name} + ".ini";
  std::error_code error;
  const std::string path = std::string{folder} + "/" + file;
  if (fs::is_regular_file(path, error)) return path;
  if (find_embedded(file) != nullptr) return std::string{prefix} + file;
  return std::nullopt;
}

std::vector<std::string> catalogue_names() { return CatalogueFiles{}.names(); }

}  // namespace sim
