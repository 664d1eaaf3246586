#include "cli/output.h"

#include <filesystem>
#include <fstream>
#include <stdlib.h>
#include <string>

#include <boost/test/unit_test.hpp>

namespace {

namespace fs = std::filesystem;

/// An empty folder that goes with the test.
struct Scratch {
  Scratch() {
    std::string name = (fs::temp_directory_path() / "flotsam-output-XXXXXX").string();
    BOOST_REQUIRE(::mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Scratch() { fs::remove_all(path); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string make(const std::string& name) const {
    fs::create_directories(path / name);
    std::ofstream{path / name / "old.txt"} << "old";
    return (path / name).string();
  }
  /// Everything in it but what is asked for.
  std::ptrdiff_t entry_count() const { return std::distance(fs::directory_iterator{path}, fs::directory_iterator{}); }

  fs::path path;
};

cli::Options into(const std::string& out, bool overwrite) {
  cli::Options options;
  options.command = "run";
  options.out = out;
  options.overwrite = overwrite;
  return options;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(output)

BOOST_AUTO_TEST_CASE(the_default_is_named_after_command_and_scenario) {
  BOOST_TEST(*cli::output_place(into("", false), "no such scenario/1") == "flotsam-out/run-no_such_scenario_1");
}

BOOST_AUTO_TEST_CASE(a_folder_that_exists_is_refused) {
  const Scratch scratch;
  BOOST_TEST(*cli::output_place(into((scratch.path / "new/").string(), false), "tiny") ==
             (scratch.path / "new").string());
  BOOST_TEST(!cli::output_place(into(scratch.make("old"), false), "tiny").has_value());
}

BOOST_AUTO_TEST_CASE(overwrite_replaces_only_what_flotsam_wrote) {
  const Scratch scratch;
  const std::string folder = scratch.make("old");
  BOOST_TEST(!cli::output_place(into(folder, true), "tiny").has_value());
  BOOST_REQUIRE(reports::write_manifest(folder, reports::Manifest{}).has_value());
  BOOST_TEST(*cli::output_place(into(folder, true), "tiny") == folder);
  fs::create_directory_symlink("old", scratch.path / "link");
  const auto place = cli::output_place(into((scratch.path / "link").string(), true), "tiny");
  BOOST_TEST(fs::path{*place}.filename() == "old");
}

BOOST_AUTO_TEST_CASE(a_standing_folder_gives_way_to_the_older_one) {
  const Scratch scratch;
  const std::string place = scratch.make("study");
  {
    const auto folder = cli::StandingFolder::make(place);
    BOOST_REQUIRE(folder.has_value());
    BOOST_TEST(fs::is_empty(place));
  }
  BOOST_TEST(fs::exists(place + "/old.txt"));
  BOOST_TEST(scratch.entry_count() == 1);
}

BOOST_AUTO_TEST_CASE(a_standing_folder_that_is_kept_replaces_the_older_one) {
  const Scratch scratch;
  const std::string place = scratch.make("study");
  {
    auto folder = cli::StandingFolder::make(place);
    BOOST_REQUIRE(folder.has_value());
    std::ofstream{place + "/new.txt"} << "new";
    folder->keep();
  }
  BOOST_TEST(fs::exists(place + "/new.txt"));
  BOOST_TEST(!fs::exists(place + "/old.txt"));
  BOOST_TEST(scratch.entry_count() == 1);
}

BOOST_AUTO_TEST_CASE(a_file_needs_a_folder_to_stand_in) {
  const Scratch scratch;
  BOOST_TEST(cli::check_writable_file("junit", (scratch.path / "junit.xml").string()).has_value());
  BOOST_TEST(!cli::check_writable_file("junit", (scratch.path / "nowhere/junit.xml").string()).has_value());
  BOOST_TEST(!cli::check_writable_file("junit", scratch.path.string()).has_value());
  BOOST_TEST(cli::check_writable_file("junit", "/dev/null").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
