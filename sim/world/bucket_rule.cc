#include "sim/world/bucket_rule.h"

#include <algorithm>

namespace sim {

BucketRule::BucketRule(Kernel& kernel, Trace& trace, ObjectStore& store, const RemedyOptions& options)
    : kernel_(kernel),
      trace_(trace),
      store_(store),
      from_(time_start + options.bucket_rule_from),
      age_(options.bucket_rule_days * period) {}

void BucketRule::begin() { kernel_.schedule_at<&BucketRule::run>(from_, this); }

void BucketRule::on(const TraceRecord& record) {
  const auto* const change = std::get_if<BytesChanged>(&record.event);
  if (change == nullptr || change->stored_as != StoredAs::parts || is_running_) return;
  if (change->delta > Bytes{0}) {
    uploads_.push_back({change->segment, change->object, change->delta, record.time});
    return;
  }
  // An abort takes all that the object had.
  std::erase_if(uploads_, [change](const Unfinished& upload) {
    return upload.segment == change->segment && upload.object == change->object;
  });
}

std::optional<SimTime> BucketRule::aborts(const RemoteLogSegment& segment) const {
  std::optional<SimTime> last;
  for (const Unfinished& upload : uploads_) {
    if (upload.segment != &segment) continue;
    SimTime due = from_;
    if (upload.since + age_ > from_) {
      const Duration wait = upload.since + age_ - from_;
      due = from_ + (wait + period - Duration{1}) / period * period;
    }
    last = std::max(last.value_or(due), due);
  }
  return last;
}

void BucketRule::run() {
  is_running_ = true;
  for (const Unfinished& upload : uploads_) {
    if (!is_due(upload)) continue;
    trace_.emit(kernel_.now(), RemedyActed{upload.segment, upload.object, Remedy::bucket_rule,
                                           RemedyFinding::unfinished_upload, RemedyAction::removed, false});
    store_.expire_parts(*upload.segment, upload.object, upload.size);
  }
  std::erase_if(uploads_, [this](const Unfinished& upload) { return is_due(upload); });
  is_running_ = false;
  kernel_.schedule_after<&BucketRule::run>(period, this);
}

}  // namespace sim
