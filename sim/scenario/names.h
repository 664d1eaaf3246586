#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sim {

/// The valid name nearest to `name`: by Damerau-Levenshtein distance up to a third of the length, letters' case aside,
/// or else the one that begins with it. The first of several equally near ones; empty when nothing is near.
std::string nearest_name(std::string_view name, std::span<const std::string> valid);

/// The text in single quotes as a message shows it: control characters escaped, long texts cut.
std::string quoted(std::string_view text);

/// ` (did you mean 'x'?)`, or the list of valid names when none is near, or nothing when there are none.
std::string suggestion(std::string_view name, std::span<const std::string> valid);

/// Without the blanks, tabs and carriage returns at both ends.
std::string_view trimmed(std::string_view text);

/// The parts between separators, trimmed; empty parts are left out.
std::vector<std::string> split_list(std::string_view text, std::string_view separators);

/// Whether files may use this as the name of a topic, a variable or a fault: letters, digits, `.`, `_` and `-`.
bool is_plain_name(std::string_view name);

}  // namespace sim
