#include "model/types.h"

#include <cstddef>

namespace model {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// By character: its place in the alphabet, -1 where it has none. Importers read millions of ids.
constexpr std::array<std::int16_t, 256> make_digits() {
  std::array<std::int16_t, 256> digits{};
  for (auto& digit : digits) digit = -1;
  for (std::size_t i = 0; i < alphabet.size(); ++i)
    digits[static_cast<unsigned char>(alphabet[i])] = static_cast<std::int16_t>(i);
  return digits;
}
constexpr auto digit_of = make_digits();

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
  if (text.size() != 22) return std::nullopt;
  unsigned __int128 bits = 0;
  int either = 0;  // Negative when one of the digits is.
  for (std::size_t i = 0; i < 21; ++i) {
    const int digit = digit_of[static_cast<unsigned char>(text[i])];
    either |= digit;
    bits = bits << 6 | static_cast<unsigned>(digit & 63);
  }
  const int last = digit_of[static_cast<unsigned char>(text[21])];
  // The last character's low bits must be those that to_base64 writes.
  if ((either | last) < 0 || (last & 15) != 0) return std::nullopt;
  bits = bits << 2 | static_cast<unsigned>(last >> 4);
  return Uuid{.most = static_cast<std::uint64_t>(bits >> 64), .least = static_cast<std::uint64_t>(bits)};
}

}  // namespace model
