#include "tests/conformance/runner/comparison.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace tests::conformance {
namespace {

constexpr std::size_t context_lines = 3;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in{path, std::ios::binary};
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::filesystem::path> files_with(const std::string& folder, std::string_view extension) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// One line of a diff: kept (both), removed (before alone) or added (after alone).
struct Edit {
  char mark;
  const std::string* line;
};

/// By the longest common subsequence; goldens have at most a few hundred lines.
std::vector<Edit> edits_between(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  const std::size_t columns = after.size() + 1;
  std::vector<std::uint32_t> common((before.size() + 1) * columns);
  for (std::size_t i = before.size(); i-- > 0;) {
    for (std::size_t j = after.size(); j-- > 0;) {
      const std::uint32_t best = std::max(common[(i + 1) * columns + j], common[i * columns + j + 1]);
      common[i * columns + j] = before[i] == after[j] ? common[(i + 1) * columns + j + 1] + 1 : best;
    }
  }
  std::vector<Edit> edits;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < before.size() || j < after.size()) {
    if (i < before.size() && j < after.size() && before[i] == after[j]) {
      edits.push_back({' ', &before[i++]});
      ++j;
    } else if (j == after.size() ||
               (i < before.size() && common[(i + 1) * columns + j] >= common[i * columns + j + 1])) {
      edits.push_back({'-', &before[i++]});
    } else {
      edits.push_back({'+', &after[j++]});
    }
  }
  return edits;
}

const Version* find_version(std::span<const Version> judged, const std::string& name) {
  const auto found =
      std::find_if(judged.begin(), judged.end(), [&](const Version& version) { return version.name == name; });
  return found == judged.end() ? nullptr : &*found;
}

/// The golden's lines but the first, which names the artefact.
std::vector<std::string> golden_lines(const GoldenFile& golden) {
  std::vector<std::string> lines = lines_of(golden.text);
  if (!lines.empty() && lines.front().starts_with("# ")) lines.erase(lines.begin());
  return lines;
}

void compare_golden(Comparison& result, const ScriptFile& file, const GoldenFile& golden, const Version& version) {
  ++result.comparison_count;
  const std::vector<std::string> kafka = golden_lines(golden);
  result.event_count +=
      static_cast<int>(std::count_if(kafka.begin(), kafka.end(), [](const auto& line) { return line[0] == ' '; }));
  std::string report;
  try {
    const Script script = read_script(file.file, file.text);
    const std::string difference = unified_diff(kafka, ScriptWorld{script, version}.run());
    if (difference.empty()) return;
    report = fmt::format("{}, Kafka {}: - Kafka, + model\n{}", file.name, version.name, difference);
  } catch (const ScriptError& error) {
    report = to_string(error) + "\n";
  }
  ++result.difference_count;
  result.reports.push_back(std::move(report));
}

}  // namespace

std::vector<ScriptFile> read_scripts(const std::string& folder) {
  std::vector<ScriptFile> scripts;
  for (const auto& path : files_with(folder, ".script")) {
    scripts.push_back({path.stem().string(), path.string(), read_file(path)});
  }
  return scripts;
}

std::vector<GoldenFile> read_goldens(const std::string& folder) {
  std::vector<GoldenFile> goldens;
  for (const auto& path : files_with(folder, ".golden")) {
    // NAME.VERSION.golden; a version holds one dot, and a name may.
    const std::string stem = path.stem().string();
    const std::size_t version_dot = stem.rfind('.');
    const std::size_t dot = version_dot == std::string::npos ? version_dot : stem.rfind('.', version_dot - 1);
    if (dot == std::string::npos) continue;
    goldens.push_back({stem.substr(0, dot), stem.substr(dot + 1), path.string(), read_file(path)});
  }
  return goldens;
}

std::string Comparison::summary() const {
  return fmt::format("scripts {}, comparisons {}, events {}, differences {}", script_count, comparison_count,
                     event_count, difference_count);
}

Comparison compare(const std::vector<ScriptFile>& scripts, const std::vector<GoldenFile>& goldens,
                   std::span<const Version> judged) {
  Comparison result;
  result.script_count = static_cast<int>(scripts.size());
  const auto differs = [&result](std::string report) {
    ++result.difference_count;
    result.reports.push_back(std::move(report));
  };
  for (const ScriptFile& file : scripts) {
    bool is_compared = false;
    for (const GoldenFile& golden : goldens) {
      if (golden.name != file.name) continue;
      const Version* version = find_version(judged, golden.version);
      if (!version) {
        differs(fmt::format("{}: version {} is not judged\n", golden.file, golden.version));
        continue;
      }
      compare_golden(result, file, golden, *version);
      is_compared = true;
    }
    if (is_compared) continue;
    try {
      (void)read_set_up(read_script(file.file, file.text));
    } catch (const ScriptError& error) {
      differs(to_string(error) + "\n");
    }
  }
  for (const GoldenFile& golden : goldens) {
    const auto is_script = [&](const ScriptFile& file) { return file.name == golden.name; };
    if (std::none_of(scripts.begin(), scripts.end(), is_script)) {
      differs(fmt::format("{}: there is no script {}\n", golden.file, golden.name));
    }
  }
  return result;
}

std::string unified_diff(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  const std::vector<Edit> edits = edits_between(before, after);
  std::string text;
  std::string action;
  std::size_t before_line = 1;
  std::size_t after_line = 1;
  std::size_t shown_until = 0;
  for (std::size_t at = 0; at < edits.size(); ++at) {
    const auto is_change = [&](std::size_t place) { return edits[place].mark != ' '; };
    const std::size_t ahead = std::min(at + context_lines + 1, edits.size());
    bool is_near = false;
    for (std::size_t place = at; place < ahead; ++place) is_near = is_near || is_change(place);
    if (edits[at].line->starts_with("> ")) action = *edits[at].line;
    if (is_change(at)) shown_until = at + context_lines + 1;
    if (is_near || at < shown_until) {
      if (text.empty() || shown_until == 0) {
        text += fmt::format("@@ -{} +{} @@ {}\n", before_line, after_line, action);
        shown_until = at + 1;
      }
      text += fmt::format("{}{}\n", edits[at].mark, *edits[at].line);
      shown_until = std::max(shown_until, at + 1);
    } else {
      shown_until = 0;
    }
    before_line += edits[at].mark != '+' ? 1 : 0;
    after_line += edits[at].mark != '-' ? 1 : 0;
  }
  return text;
}

}  // namespace tests::conformance
