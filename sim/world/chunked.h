#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "model/check.h"

namespace sim {

/// A vector that grows by whole chunks: nothing moves, nothing doubles, references stay valid.
template <class T, std::size_t chunk_size = 1024>
class Chunked {
 public:
  std::size_t size() const { return size_; }
  T& operator[](std::size_t index) { return (*chunks_[index / chunk_size])[index % chunk_size]; }
  const T& operator[](std::size_t index) const { return (*chunks_[index / chunk_size])[index % chunk_size]; }
  T& add(T value) {
    if (size_ == chunks_.size() * chunk_size) chunks_.push_back(std::make_unique<std::array<T, chunk_size>>());
    T& place = (*this)[size_++];
    place = std::move(value);
    return place;
  }

 private:
  std::vector<std::unique_ptr<std::array<T, chunk_size>>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace sim
