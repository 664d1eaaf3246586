#pragma once

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

#include "reports/manifest.h"

namespace reports {

/// Writes one JSON text from front to back; sets the commas.
class JsonWriter {
 public:
  JsonWriter& object() { return open('{'); }
  JsonWriter& array() { return open('['); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& end_array() { return close(']'); }

  /// The next value's name.
  JsonWriter& key(std::string_view name) {
    comma();
    text_ += json_string(name);
    text_ += ':';
    needs_comma_ = false;
    return *this;
  }
  JsonWriter& text(std::string_view value) {
    comma();
    text_ += json_string(value);
    return *this;
  }
  JsonWriter& integer(std::integral auto value) {
    comma();
    char digits[24];
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    return *this;
  }
  JsonWriter& boolean(bool value) {
    comma();
    text_ += value ? "true" : "false";
    return *this;
  }
  JsonWriter& null() {
    comma();
    text_ += "null";
    return *this;
  }

  const std::string& result() const { return text_; }

 private:
  JsonWriter& open(char bracket) {
    comma();
    text_ += bracket;
    needs_comma_ = false;
    return *this;
  }
  JsonWriter& close(char bracket) {
    text_ += bracket;
    needs_comma_ = true;
    return *this;
  }
  void comma() {
    if (needs_comma_) text_ += ',';
    needs_comma_ = true;
  }

  std::string text_;
  bool needs_comma_ = false;
};

}  // namespace reports
