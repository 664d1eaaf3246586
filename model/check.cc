#include "model/check.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace model {

namespace {

struct Context {
  CheckContext print = nullptr;
  void* self = nullptr;
};

thread_local Context thread_context;

}  // namespace

void set_check_context(CheckContext context, void* self) { thread_context = {context, self}; }

void check_failed(const char* condition, const char* file, int line, std::string_view message) {
  fmt::print(stderr, "CHECK failed: {} at {}:{}", condition, file, line);
  if (!message.empty()) fmt::print(stderr, ": {}", message);
  fmt::print(stderr, "\n");
  // Taken out before it is called: a CHECK that fails inside the context must not call it again.
  const auto context = std::exchange(thread_context, {});
  if (context.print != nullptr) context.print(context.self);
  // Other threads may be in the middle of their worlds, so nothing is destroyed; what is written so far is kept.
  std::fflush(nullptr);
  std::_Exit(70);
}

}  // namespace model
