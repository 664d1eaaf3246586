// A conformance script as text: what tests/conformance/README.md says of its lines, words and numbers.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/leader_epochs.h"

namespace tests::conformance {

/// What is wrong with a script; thrown, because a script is read by recursive descent and nobody mends it half way.
/// Never thrown inside a coroutine.
struct ScriptError {
  std::string file;
  int line = 0;
  std::string what;
};
/// `FILE:LINE: WHAT`.
std::string to_string(const ScriptError& error);

/// One line that says something.
struct Line {
  int number = 0;
  /// As written, without comment and blanks around.
  std::string text;
  std::vector<std::string> words;
};

struct Script {
  std::string name;
  std::string file;
  std::string title;
  std::string source;
  /// Empty: every version that is judged.
  std::vector<std::string> versions;
  /// Where the clock stands, in milliseconds.
  std::int64_t clock = 1'000'000'000'000;
  std::vector<Line> set_up;
  std::vector<Line> actions;

  bool is_for(std::string_view version) const;
};

/// `file` is for messages; its last part without `.script` is the name.
Script read_script(std::string file, std::string_view text);

/// One line, read word by word; whatever does not fit throws a ScriptError.
class Words {
 public:
  Words(const Script& script, const Line& line) : script_(script), line_(line) {}

  const std::string& text() const { return line_.text; }
  int number() const { return line_.number; }
  bool empty() const { return next_ == line_.words.size(); }
  /// Whether the next word is a `KEY=VALUE`.
  bool at_option() const;
  /// `what` is said when the word is missing.
  const std::string& word(std::string_view what);
  std::int64_t integer(std::string_view what);
  /// The place of the next word in `names`.
  std::size_t choice(std::string_view what, std::span<const std::string_view> names);
  model::EpochEntries epochs(std::string_view what);
  /// The rest of the line, all of it `KEY=VALUE`; keys that are not in `valid` are errors, and so is a second one.
  std::map<std::string, std::string, std::less<>> options(std::initializer_list<std::string_view> valid);
  /// The rest of the line, with any keys.
  std::vector<std::pair<std::string, std::string>> pairs();
  /// Nothing may follow.
  void end() const;

  std::int64_t to_integer(std::string_view what, const std::string& text) const;
  model::EpochEntries to_epochs(std::string_view what, const std::string& text) const;
  [[noreturn]] void fail(std::string what) const;

 private:
  const Script& script_;
  const Line& line_;
  std::size_t next_ = 0;
};

/// The names as suggestion() of sim/scenario/names.h takes them.
std::vector<std::string> to_strings(std::span<const std::string_view> names);

}  // namespace tests::conformance
