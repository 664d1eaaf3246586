#include "model/types.h"

#include <algorithm>
#include <cstddef>

namespace model {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

}  // namespace

std::array<char, 22> to_base64(Uuid uuid) {
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

std::optional<Uuid> uuid_from_base64(std::string_view text) {
  Uuid uuid;
  std::size_t bits = 0;
  for (const char letter : text) {
    const std::size_t digit = alphabet.find(letter);
    if (digit == std::string_view::npos || bits >= 128) return std::nullopt;
    const std::size_t width = std::min<std::size_t>(6, 128 - bits);
    const std::uint64_t value = digit >> (6 - width);
    uuid.most = (uuid.most << width) | (uuid.least >> (64 - width));
    uuid.least = (uuid.least << width) | value;
    bits += width;
  }
  // The last character's low bits must be those that to_base64 writes.
  const auto canonical = to_base64(uuid);
  if (text != std::string_view{canonical.data(), canonical.size()}) return std::nullopt;
  return uuid;
}

}  // namespace model
