#include "reports/causes.h"

#include <array>

namespace reports {

std::string_view to_cause(model::TaskStep step) {
  using enum model::TaskStep;
  switch (step) {
    case none:
      return "initial";
    case copy_publish_started:
    case copy_upload:
      return "copy";
    case copy_publish_finished:
      return "copy-finished";
    case clean_up_decided:
    case clean_up_publish_started:
    case clean_up_delete:
    case clean_up_publish_finished:
      return "clean-up";
    case publish_dangling:
      return "copy-failed";
    case sweep_publish_started:
    case sweep_delete:
    case sweep_publish_finished:
      return "sweep";
    case sweep_publish_dangling:
      return "sweep-failed";
    case retention_publish_started:
    case retention_delete:
    case retention_publish_finished:
      return "retention";
    case retention_publish_dangling:
      return "retention-failed";
    case topic_deletion_publish_started:
    case topic_deletion_delete:
    case topic_deletion_publish_finished:
      return "topic-deletion";
    case adopt_publish_dangling:
      return "adopted";
  }
  return "";
}

std::span<const CauseEntry> causes() {
  static constexpr std::array<CauseEntry, 11> entries{{
      {"initial", "The scenario puts the copy there at the world's start."},
      {"copy", "A copy task began to copy the segment."},
      {"copy-finished", "The upload succeeded."},
      {"copy-failed", "The upload failed and the copy is declared DANGLING."},
      {"clean-up", "The upload failed and its own task deletes what it left."},
      {"sweep", "The copy task deletes a DANGLING copy."},
      {"sweep-failed", "That delete failed: back to DANGLING."},
      {"retention", "The expiration task deletes the copy."},
      {"retention-failed", "That delete failed and the copy is declared DANGLING."},
      {"topic-deletion", "The topic was deleted, and the partition's leader deletes every copy."},
      {"adopted", "A leader takes over an unfinished copy as DANGLING, or keeps it so until no write can land."},
  }};
  return entries;
}

}  // namespace reports
