#pragma once

#include <cstddef>
#include <cstdint>

namespace model {

/// Memory for coroutine frames: free lists by size, one set a thread, so that a running world allocates nothing.
/// Under AddressSanitizer every frame comes from the heap, or the pool would hide a use after free.
void* allocate_frame(std::size_t size);
void free_frame(void* frame, std::size_t size);
/// Frames of this thread that are alive; zero between two worlds.
std::int64_t live_frame_count();

}  // namespace model
