#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/file.h"

namespace reports {

/// One way in which a testcase failed: a policy of a run, or a signature of a campaign.
struct Failure {
  /// One line: what broke.
  std::string message = {};
  /// As the signature, or the invariant's name.
  std::string type = {};
  std::uint64_t seed = 0;
  std::uint64_t count = 1;
  /// The one command that shows it again.
  std::string reproduce = {};
  /// The last events before it, one a line.
  std::string last_events = {};
};

/// A JUnit file that is right at every instant: each change writes it aside and renames it. A testcase without a result
/// is an error `unfinished`, so that a killed job is not green.
class JUnitReport {
 public:
  /// `suite` is the scenario, `cases` the policies (run, compare) or policy/invariant (campaign). Written at once.
  static Result<JUnitReport, Problem> start(std::string path, std::string suite, std::vector<std::string> cases);

  /// The result of one case: passed without failures. A case that start() did not name is added at the end.
  Result<void, Problem> complete(const std::string& name, std::vector<Failure> failures);
  /// The harness could not tell (verdict unknown or error).
  Result<void, Problem> complete_with_error(const std::string& name, std::string message);

  std::string xml() const;

 private:
  struct Case {
    std::string name;
    bool finished = false;
    std::string error = {};
    std::vector<Failure> failures = {};
  };
  JUnitReport() = default;
  Case& find(const std::string& name);
  Result<void, Problem> write() const;

  std::string path_;
  std::string suite_;
  std::vector<Case> cases_;
};

/// `text` inside an element or an attribute; characters that XML 1.0 cannot carry become `?`.
std::string xml_escape(std::string_view text);

}  // namespace reports
