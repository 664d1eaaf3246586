#include "model/remote_log_segment_state.h"

#include <array>
#include <string_view>

#include <boost/test/unit_test.hpp>

namespace model {
namespace {

using Row = std::array<std::string_view, 2>;

// Facts 1.1 and the KIP's figure. A row: the source and the targets that are legal from it; `-` is an id never seen.
constexpr std::array kafka_rows{Row{"-", "S"},  Row{"S", "SFD"}, Row{"F", "FD"},
                                Row{"D", "DX"}, Row{"X", "X"},   Row{"G", ""}};
constexpr std::array kip_rows{Row{"-", "S"},   Row{"S", "SFDG"}, Row{"F", "FD"},
                              Row{"D", "DXG"}, Row{"X", "X"},    Row{"G", "GD"}};
// Started, finished, delete started, delete finished, dangling: the letters by id.
constexpr std::string_view letters = "SFDXG";

void check_every_pair(TransitionTable table, const std::array<Row, 6>& rows) {
  int pairs = 0;
  for (const auto& [source, legal] : rows) {
    std::optional<RemoteLogSegmentState> from;
    if (source != "-") from = static_cast<RemoteLogSegmentState>(letters.find(source));
    for (int id = 0; id < remote_log_segment_state_count; ++id) {
      const bool expected = legal.find(letters[static_cast<std::size_t>(id)]) != std::string_view::npos;
      BOOST_TEST(is_valid_transition(table, from, static_cast<RemoteLogSegmentState>(id)) == expected,
                 source << " to " << letters[static_cast<std::size_t>(id)]);
      ++pairs;
    }
  }
  BOOST_TEST(pairs == 30);
}

BOOST_AUTO_TEST_SUITE(remote_log_segment_state)

BOOST_AUTO_TEST_CASE(kafka_allows_exactly_its_own_transitions) { check_every_pair(TransitionTable::kafka, kafka_rows); }

BOOST_AUTO_TEST_CASE(the_kip_adds_the_four_edges_of_its_figure) { check_every_pair(TransitionTable::kip, kip_rows); }

BOOST_AUTO_TEST_CASE(an_older_broker_does_not_know_id_4) {
  for (std::int8_t id = 0; id < 4; ++id) {
    BOOST_TEST((for_id(TransitionTable::kafka, id) == static_cast<RemoteLogSegmentState>(id)));
    BOOST_TEST((for_id(TransitionTable::kip, id) == static_cast<RemoteLogSegmentState>(id)));
  }
  BOOST_TEST(!for_id(TransitionTable::kafka, 4));
  BOOST_TEST((for_id(TransitionTable::kip, 4) == RemoteLogSegmentState::dangling));
}

BOOST_AUTO_TEST_CASE(other_ids_are_nothing_in_either_table) {
  for (const int id : {-128, -1, 5, 127}) {
    BOOST_TEST(!for_id(TransitionTable::kafka, static_cast<std::int8_t>(id)));
    BOOST_TEST(!for_id(TransitionTable::kip, static_cast<std::int8_t>(id)));
  }
}

BOOST_AUTO_TEST_CASE(names_are_kafkas_constants) {
  BOOST_TEST(to_string(RemoteLogSegmentState::copy_segment_started) == "COPY_SEGMENT_STARTED");
  BOOST_TEST(to_string(RemoteLogSegmentState::copy_segment_finished) == "COPY_SEGMENT_FINISHED");
  BOOST_TEST(to_string(RemoteLogSegmentState::delete_segment_started) == "DELETE_SEGMENT_STARTED");
  BOOST_TEST(to_string(RemoteLogSegmentState::delete_segment_finished) == "DELETE_SEGMENT_FINISHED");
  BOOST_TEST(to_string(RemoteLogSegmentState::dangling) == "DANGLING");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace model
