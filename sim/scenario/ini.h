#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/input_error.h"

namespace sim {

/// The longest line that a scenario or a plan may have, in bytes.
inline constexpr std::size_t line_length_max = std::size_t{1} << 20;

/// One `key = value` of a scenario file and its section, as `topic.orders`. A section's header is an entry without a
/// key.
struct IniEntry {
  std::string section;
  std::string key;
  std::string value;
  KeyOrigin origin;
};

/// Calls for each line of a text, without its end (`\n` or `\r\n`) and without a byte-order mark: `(line, number)`.
/// Lines that hold a NUL byte or are too long become errors instead.
template <class Visit>
void for_each_line(const std::string& file, std::string_view text, InputErrors& errors, Visit&& visit) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.size() > line_length_max) {
      errors.add({file, number}, "the line is longer than 1 MiB");
    } else if (line.find('\0') != std::string_view::npos) {
      errors.add({file, number}, "a NUL byte: this is no text file");
    } else {
      visit(line, number);
    }
  }
}

/// Reads a scenario file's text. Boost.Program_options knows no lines, cuts values at `#` and refuses `;` comments and
/// a byte-order mark; so each line is judged here first, and Boost reads what is clean.
std::vector<IniEntry> read_ini(const std::string& file, std::string_view text, InputErrors& errors);

}  // namespace sim
