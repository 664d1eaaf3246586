// The Fast C++ CSV Parser as this project uses it; nobody includes it directly. Without CSV_IO_NO_THREAD every reader
// would start a thread, and files that disagree on the macro would break the one-definition rule.
#pragma once

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
