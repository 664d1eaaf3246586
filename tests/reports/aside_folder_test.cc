#include "reports/aside_folder.h"

#include "tests/reports/sample_run.h"

using namespace reports;
using namespace reports_test;

namespace {

std::string write_into(const AsideFolder& folder, const std::string& text) {
  auto path = folder.path() + "/file";
  BOOST_TEST_REQUIRE(write_file(path, text).has_value());
  return path;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(aside_folder)

BOOST_AUTO_TEST_CASE(is_absent_until_it_is_put_in_place) {
  const ScratchFolder scratch;
  auto folder = AsideFolder::make(scratch.path("out/run"), AsideFolder::Existing::refuse);
  BOOST_TEST_REQUIRE(folder.has_value());
  write_into(*folder, "text");
  BOOST_TEST(!std::filesystem::exists(scratch.path("out/run")));
  BOOST_TEST(folder->put_in_place().has_value());
  BOOST_TEST(text_of(scratch.path("out/run/file")) == "text");
  BOOST_TEST(std::distance(std::filesystem::directory_iterator{scratch.path("out")}, {}) == 1);
}

BOOST_AUTO_TEST_CASE(leaves_no_trace_when_it_is_dropped) {
  const ScratchFolder scratch;
  {
    auto folder = AsideFolder::make(scratch.path("a/b/run"), AsideFolder::Existing::refuse);
    BOOST_TEST_REQUIRE(folder.has_value());
    write_into(*folder, "text");
  }
  BOOST_TEST(scratch.names().empty());
}

BOOST_AUTO_TEST_CASE(refuses_a_folder_with_something_in_it) {
  const ScratchFolder scratch;
  std::filesystem::create_directories(scratch.path("run/old"));
  const auto folder = AsideFolder::make(scratch.path("run"), AsideFolder::Existing::refuse);
  BOOST_TEST_REQUIRE(!folder.has_value());
  BOOST_TEST(folder.error() == scratch.path("run") + ": File exists");
}

BOOST_AUTO_TEST_CASE(takes_an_empty_folder) {
  const ScratchFolder scratch;
  std::filesystem::create_directories(scratch.path("run"));
  auto folder = AsideFolder::make(scratch.path("run/"), AsideFolder::Existing::refuse);
  BOOST_TEST_REQUIRE(folder.has_value());
  write_into(*folder, "text");
  BOOST_TEST(folder->put_in_place().has_value());
  BOOST_TEST(text_of(scratch.path("run/file")) == "text");
}

BOOST_AUTO_TEST_CASE(replaces_all_of_an_old_folder) {
  const ScratchFolder scratch;
  std::filesystem::create_directories(scratch.path("run"));
  BOOST_TEST_REQUIRE(write_file(scratch.path("run/stale"), "old").has_value());
  auto folder = AsideFolder::make(scratch.path("run"), AsideFolder::Existing::replace);
  BOOST_TEST_REQUIRE(folder.has_value());
  write_into(*folder, "new");
  BOOST_TEST(text_of(scratch.path("run/stale")) == "old");
  BOOST_TEST(folder->put_in_place().has_value());
  BOOST_TEST(text_of(scratch.path("run/file")) == "new");
  BOOST_TEST(!std::filesystem::exists(scratch.path("run/stale")));
  BOOST_TEST(scratch.names() == std::vector<std::string>{"run"});
}

BOOST_AUTO_TEST_CASE(lets_the_last_of_two_writers_win) {
  const ScratchFolder scratch;
  auto first = AsideFolder::make(scratch.path("shard"), AsideFolder::Existing::replace);
  auto second = AsideFolder::make(scratch.path("shard"), AsideFolder::Existing::replace);
  BOOST_TEST_REQUIRE(first.has_value());
  BOOST_TEST_REQUIRE(second.has_value());
  write_into(*first, "first");
  write_into(*second, "second");
  BOOST_TEST(first->put_in_place().has_value());
  BOOST_TEST(second->put_in_place().has_value());
  BOOST_TEST(text_of(scratch.path("shard/file")) == "second");
  BOOST_TEST(scratch.names() == std::vector<std::string>{"shard"});
}

BOOST_AUTO_TEST_CASE(keeps_the_old_one_when_somebody_else_came_first_and_nothing_may_be_replaced) {
  const ScratchFolder scratch;
  auto folder = AsideFolder::make(scratch.path("run"), AsideFolder::Existing::refuse);
  BOOST_TEST_REQUIRE(folder.has_value());
  write_into(*folder, "mine");
  std::filesystem::create_directories(scratch.path("run"));
  BOOST_TEST_REQUIRE(write_file(scratch.path("run/file"), "theirs").has_value());
  BOOST_TEST(!folder->put_in_place().has_value());
  BOOST_TEST(text_of(scratch.path("run/file")) == "theirs");
  BOOST_TEST(scratch.names() == std::vector<std::string>{"run"});
}

BOOST_AUTO_TEST_CASE(tells_what_stands_in_the_way_of_its_parents) {
  const ScratchFolder scratch;
  BOOST_TEST_REQUIRE(write_file(scratch.path("plain"), "").has_value());
  const auto folder = AsideFolder::make(scratch.path("plain/run"), AsideFolder::Existing::replace);
  BOOST_TEST_REQUIRE(!folder.has_value());
  BOOST_TEST(folder.error() == scratch.path("plain/run") + ": Not a directory");
}

BOOST_AUTO_TEST_SUITE_END()
