#include "sim/scenario/ini.h"

#include <sstream>

#include <boost/program_options/errors.hpp>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>
#include <fmt/format.h>

#include "model/check.h"
#include "sim/scenario/names.h"

namespace sim {

namespace {

namespace po = boost::program_options;

// What our own pass knows and Boost does not: where each key stands.
struct Clean {
  std::string text;
  std::vector<IniEntry> places;
};

bool is_section_name(std::string_view name) {
  return is_plain_name(name) && !name.starts_with('.') && !name.ends_with('.');
}

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char letter) {
    const auto code = static_cast<unsigned char>(letter);
    return (code < 0x20 && code != '\t') || code == 0x7f;
  });
}

void clean_line(std::string_view line, const KeyOrigin& origin, std::string& section, Clean& clean,
                InputErrors& errors) {
  if (line.empty() || line.starts_with('#') || line.starts_with(';')) return;
  if (has_control_character(line)) return errors.add(origin, "a control character: this is no text file");
  if (line.find('#') != std::string_view::npos) {
    return errors.add(origin, fmt::format("'#' inside a line: {}; a comment needs a line of its own", quoted(line)));
  }
  if (line.starts_with('[')) {
    const auto name = line.ends_with(']') ? trimmed(line.substr(1, line.size() - 2)) : std::string_view{};
    if (!is_section_name(name))
      return errors.add(origin, fmt::format("no section header: {}; write [name]", quoted(line)));
    section = name;
    clean.text += fmt::format("[{}]\n", section);
    clean.places.push_back({section, {}, {}, origin});
    return;
  }
  const std::size_t equals = line.find('=');
  const auto key = trimmed(line.substr(0, std::min(equals, line.size())));
  if (equals == std::string_view::npos || key.empty()) {
    return errors.add(origin, fmt::format("neither [section] nor key = value: {}", quoted(line)));
  }
  if (section.empty()) return errors.add(origin, fmt::format("key {} stands before the first [section]", quoted(key)));
  clean.text += fmt::format("{}\n", line);
  clean.places.push_back({section, std::string{key}, {}, origin});
}

}  // namespace

std::vector<IniEntry> read_ini(const std::string& file, std::string_view text, InputErrors& errors) {
  Clean clean;
  std::string section;
  for_each_line(file, text, errors, [&](std::string_view line, int number) {
    clean_line(trimmed(line), {file, number}, section, clean, errors);
  });
  std::istringstream input{clean.text};
  try {
    const auto parsed = po::parse_config_file(input, po::options_description{}, /*allow_unregistered=*/true);
    // Boost reads the same lines in the same order.
    auto option = parsed.options.begin();
    for (IniEntry& place : clean.places) {
      if (place.key.empty()) continue;
      CHECK(option != parsed.options.end());
      CHECK(option->value.size() == 1);
      place.value = option->value[0];
      ++option;
    }
    CHECK(option == parsed.options.end());
  } catch (const po::error& error) {
    errors.add({file, 0}, error.what());
    return {};
  }
  return std::move(clean.places);
}

}  // namespace sim
