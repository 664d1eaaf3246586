#include "reports/packed.h"

#include <algorithm>
#include <array>
#include <zlib.h>

#include "model/check.h"

namespace reports {
namespace {

std::string gzip(std::string_view text) {
  z_stream stream{};
  constexpr int level = 5;  // Beyond it, time grows much faster than size shrinks.
  constexpr int gzip_window = 15 + 16;
  constexpr int memory = 9;
  CHECK(deflateInit2(&stream, level, Z_DEFLATED, gzip_window, memory, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string result(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  std::size_t taken = 0;
  std::size_t made = 0;
  int state = Z_OK;
  // zlib counts in 32 bits.
  constexpr std::size_t step = std::size_t{1} << 30;
  while (state != Z_STREAM_END) {
    const auto in = std::min(step, text.size() - taken);
    const auto out = std::min(step, result.size() - made);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data() + taken));
    stream.avail_in = static_cast<uInt>(in);
    stream.next_out = reinterpret_cast<Bytef*>(result.data() + made);
    stream.avail_out = static_cast<uInt>(out);
    state = deflate(&stream, taken + in == text.size() ? Z_FINISH : Z_NO_FLUSH);
    CHECK(state == Z_OK || state == Z_STREAM_END);
    taken += in - stream.avail_in;
    made += out - stream.avail_out;
  }
  deflateEnd(&stream);
  result.resize(made);
  return result;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::array<unsigned, 3> three{};
    const auto count = std::min<std::size_t>(3, bytes.size() - at);
    for (std::size_t i = 0; i < count; ++i) three[i] = static_cast<unsigned char>(bytes[at + i]);
    const unsigned bits = three[0] << 16 | three[1] << 8 | three[2];
    text += digits[bits >> 18];
    text += digits[bits >> 12 & 63];
    text += count > 1 ? digits[bits >> 6 & 63] : '=';
    text += count > 2 ? digits[bits & 63] : '=';
  }
  return text;
}

}  // namespace

std::string packed(std::string_view text) { return base64(gzip(text)); }

}  // namespace reports
