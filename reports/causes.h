#pragma once

#include <span>
#include <string_view>

#include "model/ports.h"

namespace reports {

/// The word in transitions.csv's `cause` for what the writing task was doing.
std::string_view to_cause(model::TaskStep step);

struct CauseEntry {
  std::string_view name;
  /// One line for `list causes`.
  std::string_view help;
};
/// All causes, in the order of a copy's life.
std::span<const CauseEntry> causes();

}  // namespace reports
