#pragma once

#include <span>
#include <string_view>

namespace sim {

/// One file of the catalogue as it was when the binary was built.
struct EmbeddedFile {
  /// The file's name without its folder, as `s3-outage-4h.ini`.
  std::string_view name;
  /// The whole file, byte for byte.
  std::string_view text;
};

/// The catalogue's scenarios and their plans, ordered by name; the build generates it from scenarios/.
std::span<const EmbeddedFile> embedded_scenarios();

}  // namespace sim
