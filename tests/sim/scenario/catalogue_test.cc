#include "sim/scenario/catalogue.h"

#include <boost/test/unit_test.hpp>

#include "sim/scenario/embedded.h"
#include "tests/sim/scenario/memory_files.h"

namespace sim {
namespace {

using namespace scenario_test;

BOOST_AUTO_TEST_SUITE(catalogue)

BOOST_AUTO_TEST_CASE(what_is_not_there_is_said_with_the_nearest_name) {
  CHECK_COMPLAINT(read_scenario({"tinny", {}}, test_kinds()), "tinny: no scenario of this name", "ends in .ini");
  CHECK_COMPLAINT(read_scenario({"no/such.ini", {}}, test_kinds()), "no/such.ini: no such file");
  CHECK_COMPLAINT(read_scenario({"./", {}}, test_kinds()), "./: a folder, no file");
}

BOOST_AUTO_TEST_CASE(a_file_of_the_binary_is_read_below_its_prefix) {
  const CatalogueFiles files;
  for (const EmbeddedFile& file : embedded_scenarios()) {
    const auto text = files.read("embedded:" + std::string{file.name});
    BOOST_REQUIRE(text.has_value());
    BOOST_TEST(*text == file.text);
  }
  BOOST_TEST(!files.read("embedded:no-such.ini").has_value());
}

BOOST_AUTO_TEST_CASE(every_name_in_the_catalogue_can_be_found) {
  const CatalogueFiles files;
  for (const std::string& name : catalogue_names()) BOOST_TEST(files.find(name).has_value(), name);
  BOOST_TEST(!files.find("../secret").has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace sim
