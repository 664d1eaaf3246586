#pragma once

// Replaces the global operator new by one that counts: for programs of their own (*_alone_test.cc), one file each.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace tests {

/// Calls of operator new so far.
inline std::uint64_t allocation_count = 0;

inline void* allocate(std::size_t size, std::size_t alignment) {
  ++allocation_count;
  void* const memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) std::abort();
  return memory;
}

/// Under AddressSanitizer coroutine frames come from the heap one by one, and a count says nothing.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool frames_are_pooled = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool frames_are_pooled = false;
#else
inline constexpr bool frames_are_pooled = true;
#endif
#else
inline constexpr bool frames_are_pooled = true;
#endif

}  // namespace tests

// One file of a program includes this, or there are two definitions.
// None is inlined, or g++ sees free() meet a pointer of new and warns.
// NOLINTBEGIN(misc-definitions-in-headers)
[[gnu::noinline]] void* operator new(std::size_t size) { return tests::allocate(size, alignof(std::max_align_t)); }
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return tests::allocate(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
// NOLINTEND(misc-definitions-in-headers)
