#pragma once

#include <string>
#include <vector>

namespace sim {

/// Where something was written, for messages; line 0: nowhere in particular, as a `--set` is.
struct KeyOrigin {
  std::string file;
  int line = 0;
};

/// One thing wrong with the input: prints as `FILE:LINE: MESSAGE`.
struct InputError {
  std::string file;
  int line = 0;
  std::string message;
};
std::string to_string(const InputError& error);

/// Collects what is wrong, up to a hundred errors: nobody reads more.
class InputErrors {
 public:
  void add(const KeyOrigin& origin, std::string message) {
    if (errors_.size() < 100) errors_.push_back({origin.file, origin.line, std::move(message)});
  }
  bool empty() const { return errors_.empty(); }
  std::vector<InputError> take() { return std::move(errors_); }

 private:
  std::vector<InputError> errors_;
};

}  // namespace sim
