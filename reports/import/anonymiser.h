#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "model/types.h"
#include "reports/import/dump_line.h"

namespace reports {

/// Changes what tells whose cluster a dump is of, the same way each time: topics become `topic-1`, `topic-2` ... and
/// brokers 1, 2 ... in the order in which they appear; ids become others; sizes keep their proportions. Times, offsets,
/// epochs and states stay, so that the story does.
class Anonymiser {
 public:
  void change(DumpRecord& record);
  Uuid change(Uuid id) const;
  /// A topic that was met, under its new name; empty when it was not.
  std::string_view new_name(std::string_view topic) const {
    const auto found = topics_.find(topic);
    return found == topics_.end() ? std::string_view{} : std::string_view{found->second};
  }
  /// Sizes are scaled by a factor between 1/2 and 1 that the dump's first topic id decides.
  std::int64_t change_size(std::int64_t bytes) const;
  /// What a changed size was, or a sum of such: to within two bytes a size.
  std::int64_t real_size(std::int64_t changed) const;

 private:
  const std::string& change_topic(std::string_view name);

  std::map<std::string, std::string, std::less<>> topics_;
  std::map<std::int32_t, std::int32_t> brokers_;
  const std::string* last_topic_ = nullptr;
  std::string last_name_;
  /// In 1/1024; 0 before the first record.
  std::int64_t factor_ = 0;
};

}  // namespace reports
