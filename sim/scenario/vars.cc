#include "sim/scenario/vars.h"

#include <vector>

#include <fmt/format.h>

#include "sim/scenario/ini.h"
#include "sim/scenario/names.h"

namespace sim {

model::Result<std::string, std::string> substitute(std::string_view text,
                                                   const std::map<std::string, std::string>& vars) {
  using Error = model::Failed<std::string>;
  std::string result;
  while (true) {
    const std::size_t begin = text.find("${");
    result += text.substr(0, begin);
    if (begin == std::string_view::npos) return result;
    text.remove_prefix(begin + 2);
    const std::size_t end = text.find('}');
    if (end == std::string_view::npos) return Error{"'${' without '}'"};
    const std::string name{trimmed(text.substr(0, end))};
    const auto found = vars.find(name);
    if (found == vars.end()) {
      std::vector<std::string> names;
      for (const auto& [known, value] : vars) names.push_back(known);
      return Error{fmt::format("unknown variable {}{}", quoted(name), suggestion(name, names))};
    }
    result += found->second;
    if (result.size() > line_length_max) return Error{"longer than 1 MiB with its variables"};
    text.remove_prefix(end + 1);
  }
}

}  // namespace sim
