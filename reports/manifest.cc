#include "reports/manifest.h"

#include <sstream>

#define BOOST_BIND_GLOBAL_PLACEHOLDERS  // What Boost 1.74 asks of who includes its parser.
#include <boost/property_tree/json_parser.hpp>
#include <fmt/format.h>

namespace reports {

std::string json_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char character : text) {
    switch (character) {
      case '"':
        quoted += "\\\"";
        break;
      case '\\':
        quoted += "\\\\";
        break;
      case '\n':
        quoted += "\\n";
        break;
      case '\r':
        quoted += "\\r";
        break;
      case '\t':
        quoted += "\\t";
        break;
      default:
        // < as well, so that the text may stand in a page's script.
        if (static_cast<unsigned char>(character) < 0x20 || character == '<' || character == 0x7f) {
          quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(character)));
        } else {
          quoted += character;
        }
    }
  }
  return quoted + '"';
}

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

std::string scenario_hash(const sim::Scenario& scenario) {
  // FNV-1a: a name for a text, nothing that resists an attack. Zero bytes keep text, plan and initial
  // states apart.
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](std::string_view text) {
    for (const char character : text) hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001b3;
  };
  add(scenario.text);
  add(std::string_view{"\0", 1});
  add(scenario.plan_text);
  for (const auto& topic : scenario.topics) {
    if (!topic.initial_file) continue;
    add(std::string_view{"\0", 1});
    add(topic.initial_file->text);
  }
  return hash_text(hash);
}

std::string to_json(const Manifest& manifest) {
  std::string policies;
  for (const auto& policy : manifest.policies) policies += (policies.empty() ? "" : ", ") + json_string(policy);
  std::string json = "{\n";
  const auto raw = [&](std::string_view name, std::string_view value, bool is_last = false) {
    json += fmt::format("  \"{}\": {}{}\n", name, value, is_last ? "" : ",");
  };
  raw("format_version", std::to_string(manifest.format));
  raw("kind", json_string(manifest.kind));
  raw("version", json_string(manifest.version));
  raw("commit", json_string(manifest.commit));
  raw("compiler", json_string(manifest.compiler));
  raw("scenario", json_string(manifest.scenario));
  raw("scenario_hash", json_string(manifest.scenario_hash));
  raw("policies", "[" + policies + "]");
  raw("seeds", json_string(manifest.seeds));
  raw("start", json_string(manifest.start));
  raw("trace_hash", json_string(manifest.trace_hash));
  raw("events", std::to_string(manifest.events));
  raw("transitions", std::to_string(manifest.transitions));
  raw("world_ms", std::to_string(manifest.world_ms));
  raw("wall_ms", std::to_string(manifest.wall_ms));
  raw("outcome", json_string(manifest.outcome));
  raw("verdict", json_string(manifest.verdict));
  if (!manifest.shard.empty()) raw("shard", json_string(manifest.shard));
  raw("changed", manifest.changed ? "true" : "false", true);
  return json + "}\n";
}

Result<void, Problem> write_manifest(const std::string& folder, const Manifest& manifest) {
  return replace_file(folder + "/manifest.json", to_json(manifest));
}

Result<Manifest, Problem> read_manifest(const std::string& folder) {
  const auto path = folder + "/manifest.json";
  auto text = read_file(path);
  if (!text) return Failed{text.error()};
  boost::property_tree::ptree tree;
  try {
    std::istringstream stream{*text};
    boost::property_tree::read_json(stream, tree);
  } catch (const boost::property_tree::json_parser_error& error) {
    return Failed{fmt::format("{}:{}: {}", path, error.line(), error.message())};
  }
  Manifest manifest;
  manifest.format = tree.get("format_version", 0);
  if (manifest.format < 1) return Failed{path + ": no manifest of flotsam (no format_version)"};
  if (manifest.format > format_version)
    return Failed{
        fmt::format("{}: format_version {} is newer than this flotsam's {}", path, manifest.format, format_version)};
  manifest.kind = tree.get("kind", "");
  manifest.version = tree.get("version", "");
  manifest.commit = tree.get("commit", "");
  manifest.compiler = tree.get("compiler", "");
  manifest.scenario = tree.get("scenario", "");
  manifest.scenario_hash = tree.get("scenario_hash", "");
  if (const auto policies = tree.get_child_optional("policies"))
    for (const auto& [key, value] : *policies) manifest.policies.push_back(value.data());
  manifest.seeds = tree.get("seeds", "");
  manifest.start = tree.get("start", "");
  manifest.trace_hash = tree.get("trace_hash", "");
  manifest.events = tree.get("events", std::uint64_t{0});
  manifest.transitions = tree.get("transitions", std::uint64_t{0});
  manifest.world_ms = tree.get("world_ms", std::int64_t{0});
  manifest.wall_ms = tree.get("wall_ms", std::int64_t{0});
  manifest.outcome = tree.get("outcome", "");
  manifest.verdict = tree.get("verdict", "");
  manifest.shard = tree.get("shard", "");
  manifest.changed = tree.get("changed", false);
  return manifest;
}

}  // namespace reports
