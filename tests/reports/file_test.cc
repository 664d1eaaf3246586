#include "reports/file.h"

#include "tests/reports/sample_run.h"

using namespace reports;
using namespace reports_test;

BOOST_AUTO_TEST_SUITE(file)

BOOST_AUTO_TEST_CASE(writes_what_it_was_given_across_its_buffer) {
  const ScratchFolder scratch;
  auto file = File::create(scratch.path("a"));
  const std::string line(1'000, 'x');
  for (int i = 0; i < 1'000; ++i) file.write(line);
  file.put('\n');
  BOOST_TEST(file.close().has_value());
  BOOST_TEST(text_of(scratch.path("a")) == std::string(1'000'000, 'x') + "\n");
}

BOOST_AUTO_TEST_CASE(tells_a_full_disk_by_the_files_name) {
  auto file = File::create("/dev/full");
  file.write("something");
  const auto closed = file.close();
  BOOST_TEST_REQUIRE(!closed.has_value());
  BOOST_TEST(closed.error() == "/dev/full: No space left on device");
}

BOOST_AUTO_TEST_CASE(keeps_the_first_error_and_stays_quiet_afterwards) {
  auto file = File::create("/dev/full");
  const std::string line(1 << 20, 'x');
  for (int i = 0; i < 4; ++i) file.write(line);
  BOOST_TEST(file.has_problem());
  BOOST_TEST(!file.close().has_value());
  BOOST_TEST(!file.close().has_value());
}

BOOST_AUTO_TEST_CASE(tells_why_a_file_cannot_be_made) {
  const ScratchFolder scratch;
  const auto written = write_file(scratch.path("missing/a"), "text");
  BOOST_TEST_REQUIRE(!written.has_value());
  BOOST_TEST(written.error() == scratch.path("missing/a") + ": No such file or directory");
}

BOOST_AUTO_TEST_CASE(replaces_a_file_whole_and_leaves_nothing_beside_it) {
  const ScratchFolder scratch;
  BOOST_TEST(replace_file(scratch.path("a"), "old").has_value());
  BOOST_TEST(replace_file(scratch.path("a"), "new").has_value());
  BOOST_TEST(text_of(scratch.path("a")) == "new");
  BOOST_TEST(scratch.names() == std::vector<std::string>{"a"});
}

BOOST_AUTO_TEST_CASE(writes_through_a_device_instead_of_replacing_it) {
  const auto written = replace_file("/dev/full", "text");
  BOOST_TEST_REQUIRE(!written.has_value());
  BOOST_TEST(written.error() == "/dev/full: No space left on device");
}

BOOST_AUTO_TEST_CASE(appends_to_what_is_there) {
  const ScratchFolder scratch;
  BOOST_TEST(append_file(scratch.path("a"), "one\n").has_value());
  BOOST_TEST(append_file(scratch.path("a"), "two\n").has_value());
  BOOST_TEST(*read_file(scratch.path("a")) == "one\ntwo\n");
}

BOOST_AUTO_TEST_SUITE_END()
