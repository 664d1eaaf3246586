// Every path through a world that can be replayed: frames cannot be copied, so a path is its choices.
#pragma once

#include <cstddef>
#include <vector>

namespace tests {

/// The choices of one path, as digits of a number that counts up.
class Choices {
 public:
  std::size_t choose(std::size_t option_count) {
    if (next_ == digits_.size()) digits_.push_back({0, option_count});
    return digits_[next_++].value;
  }
  /// The next path in order; false after the last.
  bool advance() {
    next_ = 0;
    while (!digits_.empty() && digits_.back().value + 1 == digits_.back().option_count) digits_.pop_back();
    if (digits_.empty()) return false;
    ++digits_.back().value;
    return true;
  }

 private:
  struct Digit {
    std::size_t value;
    std::size_t option_count;
  };
  std::vector<Digit> digits_;
  std::size_t next_ = 0;
};

}  // namespace tests
