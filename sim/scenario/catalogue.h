#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/scenario.h"

namespace sim {

/// The disk and, below the prefix `embedded:`, the catalogue in the binary. Names are looked up in ./scenarios first.
class CatalogueFiles final : public ScenarioFiles {
 public:
  Result<std::string, std::string> read(const std::string& path) const override;
  std::vector<std::string> names() const override;
  std::optional<std::string> find(std::string_view name) const override;
};

}  // namespace sim
