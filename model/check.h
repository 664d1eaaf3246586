#pragma once

#include <string_view>

#include <fmt/format.h>

namespace model {

/// Called once with the message of a failed CHECK, before the process ends; the world adds seed, time and last events.
/// Per thread, because a campaign runs one world a thread.
using CheckContext = void (*)(void* self);
void set_check_context(CheckContext context, void* self);

/// Prints `condition`, place and message and what the context knows, and ends the process with exit code 70.
[[noreturn]] void check_failed(const char* condition, const char* file, int line, std::string_view message);

template <class... Arguments>
[[noreturn]] void check_failed(const char* condition, const char* file, int line,
                               fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  check_failed(condition, file, line, std::string_view{fmt::format(format, std::forward<Arguments>(arguments)...)});
}
[[noreturn]] inline void check_failed(const char* condition, const char* file, int line) {
  check_failed(condition, file, line, std::string_view{});
}

}  // namespace model

/// States what our own code guarantees; always on. What the modelled Kafka may get wrong is an invariant instead.
#define CHECK(condition, ...)                                                           \
  do {                                                                                  \
    if (!(condition)) [[unlikely]]                                                      \
      ::model::check_failed(#condition, __FILE__, __LINE__ __VA_OPT__(, ) __VA_ARGS__); \
  } while (false)
