// The Fast C++ CSV Parser as this project uses it; nobody includes it directly. Without CSV_IO_NO_THREAD every reader
// would start a thread, and files that disagree on the macro would break the one-definition rule.
#pragma once

#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/input_error.h"
#include "sim/scenario/names.h"

#ifndef CSV_IO_NO_THREAD
#define CSV_IO_NO_THREAD
#endif

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <libfccp/csv.h>
#pragma GCC diagnostic pop

namespace sim {

/// Calls `read`, which reads a header or a row, and turns what the parser throws into a message. True when nothing was
/// wrong. `columns` are all that the file may have.
template <class Reader, class Read>
bool read_guarded(const std::string& file, Reader& reader, std::span<const std::string> columns, InputErrors& errors,
                  Read&& read) {
  const auto report = [&](std::string message) {
    errors.add({file, static_cast<int>(reader.get_file_line())}, std::move(message));
  };
  try {
    read();
    return true;
  } catch (const io::error::missing_column_in_header& error) {
    report(fmt::format("the header lacks the column '{}'", error.column_name));
  } catch (const io::error::extra_column_in_header& error) {
    report(fmt::format("unknown column {}{}", quoted(error.column_name), suggestion(error.column_name, columns)));
  } catch (const io::error::duplicated_column_in_header& error) {
    report(fmt::format("the header has the column {} twice", quoted(error.column_name)));
  } catch (const io::error::header_missing&) {
    report(fmt::format("the header is missing: {}", fmt::join(columns, ",")));
  } catch (const io::error::too_few_columns&) {
    report("fewer fields than the header has columns");
  } catch (const io::error::too_many_columns&) {
    report("more fields than the header has columns; a value with a comma needs double quotes");
  } catch (const io::error::escaped_string_not_closed&) {
    report("a quoted field does not end on its line");
  } catch (const io::error::line_length_limit_exceeded&) {
    report("the line is longer than 1 MiB");
  }
  return false;
}

}  // namespace sim
