// The one defect of flotsam_planted: each request takes a microsecond longer than the one before it in the process, so
// that a world's trace depends on the worlds before it. tests/determinism.py sees that --verify and diff find it.
#include <atomic>

#include "model/time.h"

namespace sim {

model::Duration planted_delay();

model::Duration planted_delay() {
  static std::atomic<std::int64_t> requests{0};
  return model::Duration{requests++};
}

}  // namespace sim
