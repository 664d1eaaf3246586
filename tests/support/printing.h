// Lets Boost.Test print what the tests compare: strong types, instants, enumerators with a to_string, and optionals of
// them.
#pragma once

#include <optional>
#include <ostream>
#include <type_traits>

#include "model/time.h"
#include "model/types.h"
#include "sim/observers/ledger.h"

namespace model {

template <class Tag, class Rep>
std::ostream& boost_test_print_type(std::ostream& out, const Strong<Tag, Rep>& value) {
  return out << +value.value();
}

inline std::ostream& boost_test_print_type(std::ostream& out, const SimTime& time) {
  return out << time.time_since_epoch().count() << "us";
}

template <class Enum>
requires std::is_enum_v<Enum> std::ostream& boost_test_print_type(std::ostream& out, const Enum& value) {
  return out << to_string(value);
}

template <class Value>
std::ostream& boost_test_print_type(std::ostream& out, const std::optional<Value>& value) {
  return value ? boost_test_print_type(out, *value) : out << "nothing";
}

}  // namespace model

namespace sim {

template <class Enum>
requires std::is_enum_v<Enum> std::ostream& boost_test_print_type(std::ostream& out, const Enum& value) {
  return out << to_string(value);
}

}  // namespace sim
