#include "sim/trace/trace.h"

#include <array>
#include <concepts>
#include <iterator>
#include <type_traits>

#include <fmt/format.h>

#include "sim/kernel/random.h"
#include "sim/trace/trace_fields.h"

namespace sim {
namespace {

constexpr std::array<std::string_view, std::variant_size_v<TraceEvent>> kind_names{
    "transition",          "publish-ended",         "bytes-changed",
    "store-request-ended", "storage-call-ended",    "step-entered",
    "segment-left",        "run-started",           "run-ended",
    "leader-changed",      "broker-crashed",        "broker-started",
    "segment-rolled",      "log-start-raised",      "local-segments-deleted",
    "gauges-set",          "fault-started",         "fault-ended",
    "fault-hit",           "branch-taken",          "consumer-ended",
    "partition-deleted",   "records-deleted",       "topic-changed",
    "records-forgotten",   "initialization-failed", "remedy-acted",
};
static_assert(!kind_names.back().empty());

/// Folds fields into a hash. Each value has a width that its type alone decides, and small ones share a word, so that
/// the same record gives the same words whatever the compiler makes of padding and enumerators.
class HashingFields {
 public:
  explicit HashingFields(std::uint64_t hash) : hash_(hash) {}

  template <class Value>
  void operator()(std::string_view, const Value& value) {
    add(value);
  }
  std::uint64_t finish() {
    if (used_ > 0) flush();
    return hash_;
  }

 private:
  // Inlined, the widths are known and most of this is computed while compiling.
  [[gnu::always_inline]] void bits(std::uint64_t value, unsigned width) {
    if (used_ + width > 64) flush();
    word_ |= value << used_;
    used_ += width;
  }
  void flush() {
    hash_ = fold(hash_, word_);
    word_ = 0;
    used_ = 0;
  }

  template <std::integral Value>
  void add(Value value) {
    if constexpr (std::same_as<Value, bool>) {
      bits(value ? 1 : 0, 1);
    } else {
      bits(static_cast<std::make_unsigned_t<Value>>(value), 8 * sizeof(Value));
    }
  }
  template <class Value>
  requires std::is_enum_v<Value>
  void add(Value value) { add(static_cast<std::underlying_type_t<Value>>(value)); }
  template <class Tag, class Rep>
  void add(Strong<Tag, Rep> value) {
    add(value.value());
  }
  void add(SimTime time) { add(time.time_since_epoch().count()); }
  void add(std::string_view text) { add(hash_of(text)); }
  void add(const RemoteLogSegment* segment) { add(segment != nullptr ? segment->number : std::uint32_t{0xffffffff}); }
  template <class Value>
  void add(const std::optional<Value>& value) {
    add(value.has_value());
    add(value.value_or(Value{}));
  }

  std::uint64_t hash_;
  std::uint64_t word_ = 0;
  unsigned used_ = 0;
};

std::string_view to_string(StoredAs stored_as) { return stored_as == StoredAs::object ? "object" : "parts"; }

/// Writes ` name=value` for each field.
class PrintingFields {
 public:
  explicit PrintingFields(std::string& out) : out_(out) {}

  template <class Value>
  void operator()(std::string_view name, const Value& value) {
    fmt::format_to(std::back_inserter(out_), " {}=", name);
    print(value);
  }

 private:
  template <std::integral Value>
  void print(Value value) {
    if constexpr (std::same_as<Value, bool>) {
      out_ += value ? "yes" : "no";
    } else {
      fmt::format_to(std::back_inserter(out_), "{}", value);
    }
  }
  template <class Value>
  requires std::is_enum_v<Value>
  void print(Value value) { out_ += to_string(value); }
  template <class Tag, class Rep>
  void print(Strong<Tag, Rep> value) {
    print(value.value());
  }
  void print(SimTime time) { out_ += format_time(time); }
  void print(std::string_view text) { out_ += text; }
  void print(const RemoteLogSegment* segment) {
    if (segment == nullptr) {
      out_ += '-';
      return;
    }
    fmt::format_to(std::back_inserter(out_), "{}({} partition {} [{},{}])", segment->number, segment->id,
                   segment->partition, segment->start_offset, segment->end_offset);
  }
  template <class Value>
  void print(const std::optional<Value>& value) {
    if (value) {
      print(*value);
    } else {
      out_ += '-';
    }
  }

  std::string& out_;
};

}  // namespace

std::string_view to_string(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::log:
      return "log";
    case ObjectKind::indexes:
      return "indexes";
    case ObjectKind::producer_snapshot:
      return "producer-snapshot";
    case ObjectKind::leader_epoch_checkpoint:
      return "leader-epoch-checkpoint";
  }
  return {};
}

std::string_view to_string(StoreOperation operation) {
  switch (operation) {
    case StoreOperation::put:
      return "put";
    case StoreOperation::get:
      return "get";
    case StoreOperation::remove:
      return "delete";
    case StoreOperation::list:
      return "list";
  }
  return {};
}

std::string_view to_string(CallResult result) {
  switch (result) {
    case CallResult::ok:
      return "ok";
    case CallResult::rejected:
      return "rejected";
    case CallResult::timed_out:
      return "timed-out";
    case CallResult::interrupted:
      return "interrupted";
    case CallResult::failed:
      return "failed";
  }
  return {};
}

std::string_view to_string(Remedy remedy) { return remedy == Remedy::bucket_rule ? "bucket-rule" : "scrubber"; }

std::string_view to_string(RemedyFinding finding) {
  switch (finding) {
    case RemedyFinding::unnamed:
      return "unnamed";
    case RemedyFinding::missing:
      return "missing";
    case RemedyFinding::unfinished_upload:
      return "unfinished-upload";
  }
  return {};
}

std::string_view to_string(RemedyAction action) {
  switch (action) {
    case RemedyAction::removed:
      return "removed";
    case RemedyAction::reported:
      return "reported";
    case RemedyAction::waiting:
      return "waiting";
    case RemedyAction::refused:
      return "refused";
    case RemedyAction::quota:
      return "quota";
  }
  return {};
}

std::string_view kind_of(const TraceEvent& event) { return kind_names[event.index()]; }

std::string format_time(SimTime time) {
  const std::int64_t microseconds = time.time_since_epoch().count();
  const std::uint64_t amount =
      microseconds < 0 ? 0 - static_cast<std::uint64_t>(microseconds) : static_cast<std::uint64_t>(microseconds);
  const std::uint64_t seconds = amount / 1'000'000;
  std::string text = fmt::format("{}{}h {:02}m {:02}.{:06}", microseconds < 0 ? "-" : "", seconds / 3600,
                                 seconds / 60 % 60, seconds % 60, amount % 1'000'000);
  if (amount % 1'000 == 0) text.resize(text.size() - 3);
  return text + 's';
}

std::string describe(const TraceRecord& record) {
  std::string line = fmt::format("{}  #{} {}", format_time(record.time), record.number, kind_of(record.event));
  std::visit([&line](const auto& event) { describe_fields(event, PrintingFields{line}); }, record.event);
  return line;
}

std::vector<std::pair<std::string_view, std::string>> fields_of(const TraceRecord& record) {
  std::vector<std::pair<std::string_view, std::string>> fields;
  fields.emplace_back("time", format_time(record.time));
  fields.emplace_back("kind", kind_of(record.event));
  const auto add = [&fields](std::string_view name, const auto& value) {
    std::string text;
    PrintingFields{text}(name, value);
    // Without the blank, the name and its `=`.
    fields.emplace_back(name, text.substr(name.size() + 2));
  };
  std::visit([&add](const auto& event) { describe_fields(event, add); }, record.event);
  return fields;
}

void Trace::emit(SimTime time, const TraceEvent& event) {
  ++count_;
  HashingFields fields{hash_};
  fields("time", time);
  fields("kind", static_cast<std::uint8_t>(event.index()));
  std::visit([&fields](const auto& e) { describe_fields(e, fields); }, event);
  hash_ = fields.finish();

  const TraceRecord record{time, count_, event};
  if (last_.size() < last_count) {
    last_.push_back(record);
  } else {
    last_[(count_ - 1) % last_count] = record;
  }
  for (TraceObserver* const observer : observers_) observer->on(record);
}

std::vector<TraceRecord> Trace::last_records() const {
  if (last_.size() < last_count) return last_;
  const auto oldest = last_.begin() + static_cast<std::ptrdiff_t>(count_ % last_count);
  std::vector<TraceRecord> records{oldest, last_.end()};
  records.insert(records.end(), last_.begin(), oldest);
  return records;
}

}  // namespace sim
