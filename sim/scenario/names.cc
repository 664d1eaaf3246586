#include "sim/scenario/names.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace sim {

namespace {

char to_lower(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }

std::string to_lower(std::string_view text) {
  std::string lower{text};
  for (char& letter : lower) letter = to_lower(letter);
  return lower;
}

// Optimal string alignment: insert, delete, replace, swap two neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

constexpr std::size_t compared_length_max = 256;
constexpr std::size_t shown_length_max = 80;
constexpr std::size_t listed_count_max = 16;

}  // namespace

std::string nearest_name(std::string_view name, std::span<const std::string> valid) {
  if (name.empty() || name.size() > compared_length_max) return {};
  const std::string wanted = to_lower(name);
  const std::string* best = nullptr;
  std::size_t best_distance = 0;
  for (const std::string& candidate : valid) {
    if (candidate.size() > compared_length_max) continue;
    const std::size_t longer = std::max(wanted.size(), candidate.size());
    const std::size_t limit = std::max<std::size_t>(1, longer / 3);
    if (longer - std::min(wanted.size(), candidate.size()) > limit) continue;
    const std::size_t distance = edit_distance(wanted, to_lower(candidate));
    if (distance > limit || distance >= candidate.size()) continue;
    if (best == nullptr || distance < best_distance) {
      best = &candidate;
      best_distance = distance;
    }
  }
  if (best != nullptr) return *best;
  const auto begins = [&](const std::string& candidate) { return to_lower(candidate).starts_with(wanted); };
  if (wanted.size() < 3) return {};
  const auto found = std::find_if(valid.begin(), valid.end(), begins);
  return found == valid.end() ? std::string{} : *found;
}

std::string quoted(std::string_view text) {
  std::string shown = "'";
  for (const char letter : text.substr(0, shown_length_max)) {
    const auto code = static_cast<unsigned char>(letter);
    if (code < 0x20 || code == 0x7f) {
      shown += fmt::format("\\x{:02x}", code);
    } else {
      shown += letter;
    }
  }
  shown += text.size() > shown_length_max ? "…'" : "'";
  return shown;
}

std::string suggestion(std::string_view name, std::span<const std::string> valid) {
  if (valid.empty()) return {};
  if (const std::string nearest = nearest_name(name, valid); !nearest.empty()) {
    return fmt::format(" (did you mean '{}'?)", nearest);
  }
  const auto shown = valid.first(std::min(valid.size(), listed_count_max));
  return fmt::format(" (valid: {}{})", fmt::join(shown, ", "), shown.size() < valid.size() ? ", …" : "");
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string> split_list(std::string_view text, std::string_view separators) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    if (const auto part = trimmed(text.substr(0, end)); !part.empty()) parts.emplace_back(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool is_plain_name(std::string_view name) {
  const auto is_plain = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
           letter == '.' || letter == '_' || letter == '-';
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), is_plain);
}

}  // namespace sim
