#include "model/ports.h"

namespace model {

std::string_view to_string(TaskStep step) {
  using enum TaskStep;
  switch (step) {
    case none:
      return "none";
    case copy_publish_started:
      return "copy-publish-started";
    case copy_upload:
      return "copy-upload";
    case copy_publish_finished:
      return "copy-publish-finished";
    case clean_up_decided:
      return "clean-up-decided";
    case clean_up_publish_started:
      return "clean-up-publish-started";
    case clean_up_delete:
      return "clean-up-delete";
    case clean_up_publish_finished:
      return "clean-up-publish-finished";
    case publish_dangling:
      return "publish-dangling";
    case sweep_publish_started:
      return "sweep-publish-started";
    case sweep_delete:
      return "sweep-delete";
    case sweep_publish_finished:
      return "sweep-publish-finished";
    case sweep_publish_dangling:
      return "sweep-publish-dangling";
    case retention_publish_started:
      return "retention-publish-started";
    case retention_delete:
      return "retention-delete";
    case retention_publish_finished:
      return "retention-publish-finished";
    case retention_publish_dangling:
      return "retention-publish-dangling";
    case topic_deletion_publish_started:
      return "topic-deletion-publish-started";
    case topic_deletion_delete:
      return "topic-deletion-delete";
    case topic_deletion_publish_finished:
      return "topic-deletion-publish-finished";
    case adopt_publish_dangling:
      return "adopt-publish-dangling";
  }
  return "";
}

}  // namespace model
