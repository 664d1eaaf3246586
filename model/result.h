#pragma once

#include <utility>
#include <variant>

#include "model/check.h"

namespace model {

/// Wraps an error on its way into a Result, as std::unexpected does.
template <class E>
struct Failed {
  E error;
  explicit constexpr Failed(E e) : error(std::move(e)) {}
};

/// A value or the reason why there is none; named like std::expected (not in g++ 12), to be replaced by it.
template <class T, class E>
class [[nodiscard]] Result {
 public:
  constexpr Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  constexpr Result(Failed<E> failed) : state_(std::in_place_index<1>, std::move(failed.error)) {}

  constexpr bool has_value() const { return state_.index() == 0; }
  constexpr explicit operator bool() const { return has_value(); }
  constexpr const T& operator*() const {
    CHECK(has_value());
    return *std::get_if<0>(&state_);
  }
  constexpr T& operator*() {
    CHECK(has_value());
    return *std::get_if<0>(&state_);
  }
  constexpr const T* operator->() const { return &**this; }
  constexpr T* operator->() { return &**this; }
  constexpr const E& error() const {
    CHECK(!has_value());
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<T, E> state_;
};

template <class E>
class [[nodiscard]] Result<void, E> {
 public:
  constexpr Result() = default;
  constexpr Result(Failed<E> failed) : state_(std::in_place_index<1>, std::move(failed.error)) {}

  constexpr bool has_value() const { return state_.index() == 0; }
  constexpr explicit operator bool() const { return has_value(); }
  constexpr const E& error() const {
    CHECK(!has_value());
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<std::monostate, E> state_;
};

}  // namespace model
