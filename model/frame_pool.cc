#include "model/frame_pool.h"

#include <new>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define FLOTSAM_FRAMES_FROM_HEAP
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FLOTSAM_FRAMES_FROM_HEAP
#endif
#endif

namespace model {

namespace {

constinit thread_local std::int64_t live_count = 0;

#if !defined(FLOTSAM_FRAMES_FROM_HEAP)

constexpr std::size_t size_step = 64;  // A cache line, so that no two frames share one.
constexpr std::size_t class_count = 64;
constexpr std::size_t slab_size = 32 * 1024;

struct FreeBlock {
  FreeBlock* next;
};

// Plain pointers need no guard at each access; the slabs' owner, which has a destructor, is touched only to add one.
constinit thread_local FreeBlock* free_blocks[class_count] = {};

struct Slabs {
  std::vector<void*> slabs;
  ~Slabs() {
    for (void* slab : slabs) ::operator delete (slab, std::align_val_t{size_step});
  }
};

FreeBlock* add_slab(std::size_t block_size) {
  thread_local Slabs owner;
  auto* slab = static_cast<std::byte*>(::operator new (slab_size, std::align_val_t{size_step}));
  owner.slabs.push_back(slab);
  FreeBlock* head = nullptr;
  for (std::size_t i = slab_size / block_size; i-- > 0;) head = ::new (slab + i * block_size) FreeBlock{head};
  return head;
}

#endif

}  // namespace

#if defined(FLOTSAM_FRAMES_FROM_HEAP)

void* allocate_frame(std::size_t size) {
  ++live_count;
  return ::operator new(size);
}

void free_frame(void* frame, std::size_t) {
  --live_count;
  ::operator delete(frame);
}

#else

void* allocate_frame(std::size_t size) {
  ++live_count;
  const std::size_t size_class = (size - 1) / size_step;
  if (size_class >= class_count) return ::operator new(size);
  FreeBlock*& head = free_blocks[size_class];
  if (head == nullptr) head = add_slab((size_class + 1) * size_step);
  FreeBlock* const block = head;
  head = block->next;
  return block;
}

void free_frame(void* frame, std::size_t size) {
  --live_count;
  const std::size_t size_class = (size - 1) / size_step;
  if (size_class >= class_count) return ::operator delete(frame);
  free_blocks[size_class] = ::new (frame) FreeBlock{free_blocks[size_class]};
}

#endif

std::int64_t live_frame_count() { return live_count; }

}  // namespace model
