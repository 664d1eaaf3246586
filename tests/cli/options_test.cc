#include "cli/options.h"

#include <string>
#include <string_view>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "cli/commands.h"

namespace {

using Words = std::vector<const char*>;

cli::Options read(const Words& words) {
  auto options = cli::parse_options(words);
  BOOST_REQUIRE_MESSAGE(options.has_value(), (options ? std::string{} : options.error()));
  return *options;
}

/// The message; empty when the words are right.
std::string wrong(const Words& words) {
  const auto options = cli::parse_options(words);
  return options ? std::string{} : options.error();
}

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

BOOST_AUTO_TEST_SUITE(options)

BOOST_AUTO_TEST_CASE(has_a_default_for_each_command) {
  const cli::Options run = read({"run", "tiny"});
  BOOST_TEST(run.seeds.first == 1U);
  BOOST_TEST(run.seeds.last == 1U);
  BOOST_TEST(run.seeds.origin == "default");
  BOOST_TEST((run.keep == reports::Keep::all));
  BOOST_TEST(run.jobs == cli::processor_count());
  const cli::Options compare = read({"compare", "tiny"});
  BOOST_TEST(compare.seeds.first == 1U);
  BOOST_TEST(compare.seeds.last == 30U);
  BOOST_TEST((compare.keep == reports::Keep::summary));
}

BOOST_AUTO_TEST_CASE(keeps_repeated_options_in_order) {
  const cli::Options options =
      read({"run", "tiny", "--set", "a.b=1", "--policy=x", "--set=c.d=e=f", "--policy", "y:k=v"});
  BOOST_TEST(options.sets == (std::vector<std::string>{"a.b=1", "c.d=e=f"}), boost::test_tools::per_element());
  BOOST_TEST(options.policies == (std::vector<std::string>{"x", "y:k=v"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(takes_options_before_the_argument) {
  const cli::Options options = read({"run", "--seed", "7", "tiny", "--verify"});
  BOOST_TEST(options.arguments == (std::vector<std::string>{"tiny"}), boost::test_tools::per_element());
  BOOST_TEST(options.seeds.first == 7U);
  BOOST_TEST(options.seeds.origin == "--seed");
  BOOST_TEST(options.verify);
}

BOOST_AUTO_TEST_CASE(names_the_nearest_option_and_command) {
  BOOST_TEST(holds(wrong({"run", "tiny", "--polcy", "x"}), "--policy"));
  BOOST_TEST(holds(wrong({"comapre", "tiny"}), "did you mean compare?"));
  BOOST_TEST(holds(wrong({"run", "tiny", "--keep", "curve"}), "did you mean curves?"));
}

BOOST_AUTO_TEST_CASE(says_what_comes_later) {
  BOOST_TEST(holds(wrong({"explore", "tiny", "--faults", "2"}), "the command explore is not there yet"));
  BOOST_TEST(holds(wrong({"compare", "tiny", "--grid", "a=1"}), "--grid is not there yet"));
  for (const cli::Command& command : cli::commands()) BOOST_TEST(!cli::comes_later(command.name));
}

BOOST_AUTO_TEST_CASE(refuses_options_of_other_commands) {
  BOOST_TEST(holds(wrong({"run", "tiny", "--seeds", "1..2"}), "run takes no --seeds"));
  BOOST_TEST(holds(wrong({"check", "tiny", "--junit", "x"}), "check takes no --junit"));
  BOOST_TEST(holds(wrong({"run"}), "run needs SCENARIO"));
  BOOST_TEST(holds(wrong({"run", "a", "b"}), "'b' is too much"));
}

BOOST_AUTO_TEST_CASE(takes_a_value_that_looks_like_an_option) {
  BOOST_TEST(holds(wrong({"run", "tiny", "--seed", "-1"}), "not '-1'"));
  BOOST_TEST(holds(wrong({"run", "tiny", "--seed", "--verify"}), "--seed needs a value"));
  BOOST_TEST(holds(wrong({"run", "tiny", "--out", ""}), "--out needs a value"));
}

BOOST_AUTO_TEST_CASE(a_seed_is_below_two_to_the_63) {
  BOOST_TEST(cli::parse_seed("0")->first == 0U);
  BOOST_TEST(cli::parse_seed("9223372036854775807")->first == 9'223'372'036'854'775'807U);
  for (const char* text : {"9223372036854775808", "", "+1", " 1", "1e3", "0x10", "12345678901234567890123"}) {
    BOOST_TEST(!cli::parse_seed(text).has_value(), text);
  }
}

BOOST_AUTO_TEST_CASE(a_commit_is_a_seed_that_never_changes) {
  const auto seed = cli::parse_seed("0123456789abcdef0123456789abcdef01234567");
  BOOST_TEST(seed->first == 1'976'530'625'972'536'365U);
  BOOST_TEST(cli::parse_seed("0123456789ABCDEF0123456789ABCDEF01234567")->first == seed->first);
  BOOST_TEST(!cli::parse_seed("0123456789abcdef0123456789abcdef0123456").has_value());
  BOOST_TEST(!cli::parse_seed("0123456789abcdef0123456789abcdef0123456g").has_value());
}

BOOST_AUTO_TEST_CASE(seeds_include_both_ends) {
  const auto seeds = cli::parse_seeds("3..5");
  BOOST_TEST(seeds->count() == 3U);
  BOOST_TEST(cli::parse_seeds("7..7")->count() == 1U);
  for (const char* text : {"5", "5..", "..5", "5..3", "1...3", "1..2..3", "0..9223372036854775807"}) {
    BOOST_TEST(!cli::parse_seeds(text).has_value(), text);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(exit_codes)

BOOST_AUTO_TEST_CASE(the_worst_wins) {
  const std::vector<int> order{0, 2, 3, 1, 4, 70, 130};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      BOOST_TEST(cli::worst_exit_code(order[i], order[k]) == order[i]);
      BOOST_TEST(cli::worst_exit_code(order[k], order[i]) == order[i]);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
