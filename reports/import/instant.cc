#include "reports/import/instant.h"

#include <chrono>

#include <fmt/format.h>

namespace reports {

std::string instant_text(std::int64_t milliseconds) {
  using namespace std::chrono;
  const sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds{milliseconds}};
  const auto day = floor<days>(time);
  const year_month_day date{day};
  const hh_mm_ss clock{time - day};
  const auto rest = clock.subseconds().count();
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(), rest > 0 ? fmt::format(".{:03}", rest) : "");
}

}  // namespace reports
