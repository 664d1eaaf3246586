#include "tests/conformance/runner/script.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "sim/scenario/names.h"

namespace tests::conformance {
namespace {

constexpr std::array<std::string_view, 4> head_words{"title", "source", "versions", "clock"};
constexpr std::array<std::string_view, 9> set_up_words{"topic",          "broker",    "epochs", "segment", "active",
                                                       "high-watermark", "log-start", "remote", "seeded"};

template <class Names>
bool contains(const Names& names, std::string_view word) {
  return std::find(names.begin(), names.end(), word) != names.end();
}

/// A `#` begins a comment, unless it names a copy: `#1`.
std::string_view without_comment(std::string_view line) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    const bool names_copy = at + 1 < line.size() && line[at + 1] >= '0' && line[at + 1] <= '9';
    if (!names_copy) return line.substr(0, at);
  }
  return line;
}

void read_head(Script& script, const Line& line) {
  Words words{script, line};
  const std::string& word = words.word("a word");
  const std::string rest{sim::trimmed(std::string_view{line.text}.substr(word.size()))};
  if (rest.empty()) words.fail(fmt::format("{} without a value", word));
  if (word == "title") script.title = rest;
  if (word == "source") script.source = rest;
  if (word == "versions") script.versions.assign(line.words.begin() + 1, line.words.end());
  if (word == "clock") script.clock = words.integer("milliseconds");
}

}  // namespace

std::string to_string(const ScriptError& error) { return fmt::format("{}:{}: {}", error.file, error.line, error.what); }

bool Script::is_for(std::string_view version) const { return versions.empty() || contains(versions, version); }

Script read_script(std::string file, std::string_view text) {
  Script script;
  script.file = std::move(file);
  const std::size_t slash = script.file.find_last_of('/');
  script.name = slash == std::string::npos ? script.file : script.file.substr(slash + 1);
  if (const std::size_t dot = script.name.rfind(".script"); dot != std::string::npos) script.name.resize(dot);

  int number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view kept = sim::trimmed(without_comment(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (kept.empty()) continue;
    Line line{number, std::string{kept}, sim::split_list(kept, " \t")};
    const std::string& word = line.words.front();
    if (contains(head_words, word)) {
      if (!script.set_up.empty() || !script.actions.empty()) Words(script, line).fail("the head comes first");
      read_head(script, line);
    } else if (script.actions.empty() && contains(set_up_words, word)) {
      script.set_up.push_back(std::move(line));
    } else {
      script.actions.push_back(std::move(line));
    }
  }
  if (script.title.empty()) throw ScriptError{script.file, 1, "no title"};
  if (script.source.empty()) throw ScriptError{script.file, 1, "no source"};
  if (script.actions.empty()) throw ScriptError{script.file, number, "no action"};
  return script;
}

bool Words::at_option() const { return !empty() && line_.words[next_].find('=') != std::string::npos; }

const std::string& Words::word(std::string_view what) {
  if (empty()) fail(fmt::format("{} is missing", what));
  return line_.words[next_++];
}

std::int64_t Words::integer(std::string_view what) { return to_integer(what, word(what)); }

std::size_t Words::choice(std::string_view what, std::span<const std::string_view> names) {
  const std::string& chosen = word(what);
  const auto found = std::find(names.begin(), names.end(), chosen);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::vector<std::string> valid = to_strings(names);
  fail(fmt::format("{} is no {}{}", sim::quoted(chosen), what, sim::suggestion(chosen, valid)));
}

model::EpochEntries Words::epochs(std::string_view what) { return to_epochs(what, word(what)); }

std::vector<std::pair<std::string, std::string>> Words::pairs() {
  std::vector<std::pair<std::string, std::string>> pairs;
  while (!empty()) {
    const std::string& pair = word("KEY=VALUE");
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos) fail(fmt::format("{} is no KEY=VALUE", sim::quoted(pair)));
    pairs.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
  }
  return pairs;
}

std::map<std::string, std::string, std::less<>> Words::options(std::initializer_list<std::string_view> valid) {
  std::map<std::string, std::string, std::less<>> options;
  for (const auto& [key, value] : pairs()) {
    if (!contains(valid, key)) {
      const std::vector<std::string> names = to_strings({valid.begin(), valid.size()});
      fail(fmt::format("{} is not known here{}", sim::quoted(key), sim::suggestion(key, names)));
    }
    if (!options.emplace(key, value).second) fail(fmt::format("{} stands there twice", key));
  }
  return options;
}

void Words::end() const {
  if (!empty()) fail(fmt::format("{} is too much", sim::quoted(line_.words[next_])));
}

std::int64_t Words::to_integer(std::string_view what, const std::string& text) const {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    fail(fmt::format("{} is no integer ({})", sim::quoted(text), what));
  }
  return value;
}

model::EpochEntries Words::to_epochs(std::string_view what, const std::string& text) const {
  model::EpochEntries entries;
  for (const std::string& part : sim::split_list(text, ",")) {
    const std::size_t colon = part.find(':');
    if (colon == std::string::npos) fail(fmt::format("{} is no EPOCH:OFFSET ({})", sim::quoted(part), what));
    const std::int64_t epoch = to_integer(what, part.substr(0, colon));
    const std::int64_t offset = to_integer(what, part.substr(colon + 1));
    entries.push_back({model::LeaderEpoch{static_cast<std::int32_t>(epoch)}, model::Offset{offset}});
  }
  if (entries.empty()) fail(fmt::format("{} is missing", what));
  return entries;
}

void Words::fail(std::string what) const { throw ScriptError{script_.file, line_.number, std::move(what)}; }

std::vector<std::string> to_strings(std::span<const std::string_view> names) { return {names.begin(), names.end()}; }

}  // namespace tests::conformance
