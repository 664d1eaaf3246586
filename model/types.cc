#include "model/types.h"

#include <cstddef>

namespace model {

std::array<char, 22> to_base64(Uuid uuid) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  // 128 bits are 21 digits of six bits and one of two, whose low four bits are padding.
  const auto digit_at = [&](std::size_t index) {
    const std::size_t first_bit = 6 * index;
    const std::uint64_t from_first_bit = first_bit == 0   ? uuid.most
                                         : first_bit < 64 ? (uuid.most << first_bit) | (uuid.least >> (64 - first_bit))
                                                          : uuid.least << (first_bit - 64);
    return static_cast<std::size_t>(from_first_bit >> 58);
  };
  std::array<char, 22> text{};
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = alphabet[digit_at(i)];
  return text;
}

}  // namespace model
