#include "reports/junit.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace reports {
namespace {

/// The length of the UTF-8 sequence at the front, or 0 when it is none that XML may carry.
std::size_t sequence_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return lead >= 0x20 || lead == '\t' || lead == '\n' || lead == '\r' ? 1 : 0;
  const std::size_t length = lead >= 0xC2 && lead < 0xE0   ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 0;
  const auto second = static_cast<unsigned char>(text[1]);
  // Overlong forms, surrogates and what lies above the last code point.
  if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second >= 0xA0) || (lead == 0xF0 && second < 0x90) ||
      (lead == 0xF4 && second >= 0x90))
    return 0;
  const bool is_noncharacter = lead == 0xEF && second == 0xBF && static_cast<unsigned char>(text[2]) >= 0xBE;
  return is_noncharacter ? 0 : length;
}

}  // namespace

std::string xml_escape(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  while (!text.empty()) {
    const auto length = sequence_length(text);
    const char character = text.front();
    if (length == 0) {
      escaped += '?';
    } else if (character == '&') {
      escaped += "&amp;";
    } else if (character == '<') {
      escaped += "&lt;";
    } else if (character == '>') {
      escaped += "&gt;";
    } else if (character == '"') {
      escaped += "&quot;";
    } else if (character == '\r') {
      escaped += "&#13;";
    } else {
      escaped += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return escaped;
}

namespace {

/// An attribute's line breaks would become blanks.
std::string xml_attribute(std::string_view text) {
  std::string escaped;
  for (const char character : xml_escape(text)) {
    if (character == '\n') {
      escaped += "&#10;";
    } else if (character == '\t') {
      escaped += "&#9;";
    } else {
      escaped += character;
    }
  }
  return escaped;
}

std::string failure_text(const Failure& failure) {
  std::string text = failure.message + "\n" + fmt::format("seed {}", failure.seed);
  if (failure.count > 1) text += fmt::format(", the first of {}", failure.count);
  text += "\n";
  if (!failure.reproduce.empty()) text += "reproduce: " + failure.reproduce + "\n";
  if (!failure.last_events.empty()) text += "last events:\n" + failure.last_events;
  return text;
}

}  // namespace

Result<JUnitReport, Problem> JUnitReport::start(std::string path, std::string suite, std::vector<std::string> cases) {
  JUnitReport report;
  report.path_ = std::move(path);
  report.suite_ = std::move(suite);
  for (auto& name : cases) report.cases_.push_back({.name = std::move(name)});
  if (auto written = report.write(); !written) return Failed{written.error()};
  return report;
}

JUnitReport::Case& JUnitReport::find(const std::string& name) {
  const auto found = std::find_if(cases_.begin(), cases_.end(), [&](const Case& c) { return c.name == name; });
  if (found != cases_.end()) return *found;
  return cases_.emplace_back(Case{.name = name});
}

Result<void, Problem> JUnitReport::complete(const std::string& name, std::vector<Failure> failures) {
  auto& result = find(name);
  result.finished = true;
  result.error.clear();
  result.failures = std::move(failures);
  return write();
}

Result<void, Problem> JUnitReport::complete_with_error(const std::string& name, std::string message) {
  auto& result = find(name);
  result.finished = true;
  result.error = std::move(message);
  return write();
}

std::string JUnitReport::xml() const {
  const auto failed = std::count_if(cases_.begin(), cases_.end(),
                                    [](const Case& c) { return c.finished && c.error.empty() && !c.failures.empty(); });
  const auto in_error =
      std::count_if(cases_.begin(), cases_.end(), [](const Case& c) { return !c.finished || !c.error.empty(); });
  const auto counts = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"", cases_.size(), failed, in_error);
  std::string xml = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"flotsam\" {0}>\n<testsuite name=\"{1}\" {0} "
      "skipped=\"0\">\n",
      counts, xml_attribute(suite_));
  for (const auto& result : cases_) {
    const auto head =
        fmt::format("<testcase classname=\"{}\" name=\"{}\"", xml_attribute(suite_), xml_attribute(result.name));
    if (result.finished && result.error.empty() && result.failures.empty()) {
      xml += head + "/>\n";
      continue;
    }
    xml += head + ">\n";
    if (!result.finished) {
      xml += "<error message=\"unfinished\" type=\"unfinished\"/>\n";
    } else if (!result.error.empty()) {
      xml += fmt::format("<error message=\"{}\" type=\"error\"/>\n", xml_attribute(result.error));
    } else {
      for (const auto& failure : result.failures) {
        xml += fmt::format("<failure message=\"{}\" type=\"{}\">{}</failure>\n", xml_attribute(failure.message),
                           xml_attribute(failure.type), xml_escape(failure_text(failure)));
      }
    }
    xml += "</testcase>\n";
  }
  return xml + "</testsuite>\n</testsuites>\n";
}

Result<void, Problem> JUnitReport::write() const { return replace_file(path_, xml()); }

}  // namespace reports
