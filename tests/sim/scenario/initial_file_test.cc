// The csv of `initial = FILE.csv`: columns as interfaces say, rows of one segment folded in order, errors with file and
// line.
#include "sim/scenario/initial_file.h"

#include <boost/test/unit_test.hpp>

#include "tests/sim/scenario/memory_files.h"
#include "tests/support/printing.h"

namespace sim {
namespace {

using namespace scenario_test;

const std::string id_a = "EREiIjMzRESVVWZmd3eIiA";
const std::string id_b = "Lz5NXGt6iZintsXU4_IBEA";
const std::string short_header = "segment_id,start_offset,end_offset,size_bytes,to_state";

Result<InitialFile, std::vector<InputError>> read_file(const std::string& text) {
  InputErrors errors;
  auto file = read_initial_file("state.csv", text, {"orders", 4, 3, {"orders", "clicks"}}, errors);
  if (!file) return Failed{errors.take()};
  return std::move(*file);
}

/// One row of segment a below the short header, with more columns.
Result<InitialFile, std::vector<InputError>> read_row(const std::string& columns, const std::string& fields,
                                                      const std::string& state = "COPY_SEGMENT_FINISHED") {
  return read_file(short_header + columns + "\n" + id_a + ",1000,1999,1048576," + state + fields + "\n");
}

std::string states(const InitialFile& file) {
  std::string text;
  for (const InitialEvent& event : file.events) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", event.copy, to_string(event.state));
  }
  return text;
}

BOOST_AUTO_TEST_SUITE(initial_file)

BOOST_AUTO_TEST_CASE(the_rows_of_one_segment_are_its_story) {
  const auto file = read_file(
      "time_ms,broker,topic,partition,leader_epoch,segment_id,start_offset,end_offset,size_bytes,from_state,to_state,"
      "cause,event,stored_bytes,max_timestamp_ms,segment_epochs,local\n"
      "-9000,2,orders,3,5," +
      id_a +
      ",1000,1999,1048576,,COPY_SEGMENT_STARTED,copy,17,,-9500,4=1000 5=1500,yes\n"
      "-8000,2,clicks,0,5," +
      id_b +
      ",0,9,5,,COPY_SEGMENT_STARTED,copy,18,,,,\n"
      "-7000,3,orders,3,6," +
      id_a + ",1000,1999,1048576,COPY_SEGMENT_STARTED,DELETE_SEGMENT_STARTED,,19,4096,,,no\n");
  BOOST_REQUIRE_MESSAGE(file, errors_of(file));
  BOOST_TEST(states(*file) == "0 COPY_SEGMENT_STARTED, 0 DELETE_SEGMENT_STARTED");
  const InitialCopy& copy = file->copies.at(0);
  BOOST_TEST(fmt::format("{}", copy.id) == id_a);
  BOOST_TEST(copy.partition == 3);
  BOOST_TEST(copy.start_offset == 1000_offset);
  BOOST_TEST(copy.end_offset == 1999_offset);
  BOOST_TEST(copy.size == 1_MiB);
  BOOST_TEST((copy.stored == 4_KiB));
  BOOST_TEST((copy.local == false));
  BOOST_TEST(copy.max_timestamp == SimTime{-9500ms});
  BOOST_TEST((copy.state == RemoteLogSegmentState::delete_segment_started));
  const EpochEntries epochs = {{LeaderEpoch{4}, 1000_offset}, {LeaderEpoch{5}, 1500_offset}};
  BOOST_TEST((copy.epochs == epochs));
  BOOST_TEST(file->events.at(0).time == SimTime{-9s});
  BOOST_TEST(file->events.at(1).broker == BrokerId{3});
  BOOST_TEST(file->events.at(1).leader_epoch == LeaderEpoch{6});
  BOOST_TEST(file->notes.empty());
}

BOOST_AUTO_TEST_CASE(what_a_first_row_leaves_out_of_the_story_is_filled_in) {
  const auto story = [](const std::string& to, const std::string& from) {
    const auto file = read_row(",from_state", "," + from, to);
    return file ? states(*file) : errors_of(file);
  };
  BOOST_TEST(story("COPY_SEGMENT_STARTED", "") == "0 COPY_SEGMENT_STARTED");
  BOOST_TEST(story("COPY_SEGMENT_FINISHED", "") == "0 COPY_SEGMENT_STARTED, 0 COPY_SEGMENT_FINISHED");
  BOOST_TEST(story("DELETE_SEGMENT_STARTED", "") == "0 COPY_SEGMENT_STARTED, 0 DELETE_SEGMENT_STARTED");
  BOOST_TEST(story("DELETE_SEGMENT_STARTED", "COPY_SEGMENT_FINISHED") ==
             "0 COPY_SEGMENT_STARTED, 0 COPY_SEGMENT_FINISHED, 0 DELETE_SEGMENT_STARTED");
  BOOST_TEST(story("DELETE_SEGMENT_FINISHED", "") ==
             "0 COPY_SEGMENT_STARTED, 0 DELETE_SEGMENT_STARTED, 0 DELETE_SEGMENT_FINISHED");
  BOOST_TEST(story("DANGLING", "") == "0 COPY_SEGMENT_STARTED, 0 DANGLING");
  BOOST_TEST(story("DELETE_SEGMENT_STARTED", "DANGLING") ==
             "0 COPY_SEGMENT_STARTED, 0 DANGLING, 0 DELETE_SEGMENT_STARTED");
}

BOOST_AUTO_TEST_CASE(a_row_needs_five_fields) {
  const auto file = read_row("", "");
  BOOST_REQUIRE_MESSAGE(file, errors_of(file));
  const InitialCopy& copy = file->copies.at(0);
  BOOST_TEST(copy.partition == 0);
  BOOST_TEST(!copy.stored.has_value());
  BOOST_TEST(!copy.local.has_value());
  BOOST_TEST(copy.max_timestamp == SimTime{});
  BOOST_TEST((copy.epochs == EpochEntries{{LeaderEpoch{0}, 1000_offset}}));
  BOOST_TEST(file->events.at(0).broker == BrokerId{0});
  BOOST_TEST(file->events.at(0).leader_epoch == LeaderEpoch{-1});
}

BOOST_AUTO_TEST_CASE(without_epochs_a_segment_is_of_its_writers) {
  const auto file = read_row(",leader_epoch", ",7");
  BOOST_REQUIRE_MESSAGE(file, errors_of(file));
  BOOST_TEST((file->copies.at(0).epochs == EpochEntries{{LeaderEpoch{7}, 1000_offset}}));
}

BOOST_AUTO_TEST_CASE(epochs_before_the_segment_are_clamped_as_kafka_does) {
  const auto file = read_row(",segment_epochs", ",2=0 4=800 6=1500");
  BOOST_REQUIRE_MESSAGE(file, errors_of(file));
  const EpochEntries epochs = {{LeaderEpoch{4}, 1000_offset}, {LeaderEpoch{6}, 1500_offset}};
  BOOST_TEST((file->copies.at(0).epochs == epochs));
  CHECK_COMPLAINT(read_row(",segment_epochs", ",4=1001"), "state.csv:2: segment_epochs: '4=1001'",
                  "start_offset, 1000");
  CHECK_COMPLAINT(read_row(",segment_epochs", ",4=0 5=2000"), "state.csv:2: segment_epochs", "end_offset, 1999");
  CHECK_COMPLAINT(read_row(",segment_epochs", ",5=0 4=1500"), "state.csv:2: segment_epochs: '4=1500'", "must rise");
  CHECK_COMPLAINT(read_row(",segment_epochs", ",4"), "state.csv:2: segment_epochs: '4': write EPOCH=START");
}

BOOST_AUTO_TEST_CASE(what_is_later_than_time_0_counts_as_of_time_0_and_is_noted) {
  const auto file = read_row(",time_ms", ",5");
  BOOST_REQUIRE_MESSAGE(file, errors_of(file));
  BOOST_TEST(file->events.at(0).time == SimTime{});
  BOOST_TEST(file->notes.at(0).find("later than time 0") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(records_are_told_partition_by_partition_in_the_order_of_the_file) {
  const auto file = read_file("partition," + short_header + "\n2," + id_a + ",0,9,5,COPY_SEGMENT_STARTED\n0," + id_b +
                              ",0,9,5,COPY_SEGMENT_STARTED\n2," + id_a + ",,,,COPY_SEGMENT_FINISHED\n");
  BOOST_REQUIRE_MESSAGE(file, errors_of(file));
  BOOST_TEST(states(*file) == "1 COPY_SEGMENT_STARTED, 0 COPY_SEGMENT_STARTED, 0 COPY_SEGMENT_FINISHED");
  BOOST_TEST(events_of(*file, 0).size() == 1U);
  BOOST_TEST(events_of(*file, 1).empty());
  BOOST_TEST(events_of(*file, 2).size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_header_alone_is_an_empty_topic) {
  const auto file = read_file(short_header + "\n");
  BOOST_REQUIRE_MESSAGE(file, errors_of(file));
  BOOST_TEST(file->copies.empty());
}

BOOST_AUTO_TEST_CASE(gaps_between_finished_segments_are_noted) {
  const auto notes = [](const std::string& second) {
    const auto file = read_file(short_header + "\n" + id_a + ",0,9,5,COPY_SEGMENT_FINISHED\n" + id_b + second + "\n");
    BOOST_REQUIRE_MESSAGE(file, errors_of(file));
    return fmt::format("{}", fmt::join(file->notes, ""));
  };
  BOOST_TEST(
      notes(",20,29,5,COPY_SEGMENT_FINISHED") ==
      "state.csv: orders-0: no finished segment has offsets 10 to 19, although later ones are finished: they are "
      "taken to be on disk");
  BOOST_TEST(notes(",10,29,5,COPY_SEGMENT_FINISHED").empty());
  BOOST_TEST(notes(",20,29,5,COPY_SEGMENT_STARTED").empty());
}

BOOST_AUTO_TEST_CASE(wrong_columns_are_named) {
  CHECK_COMPLAINT(read_file("segment_id,start_offset,end_offset,size_bytes\n"),
                  "state.csv:1: the header lacks the column 'to_state'");
  CHECK_COMPLAINT(read_file(short_header + ",stored_byte\n"),
                  "state.csv:1: unknown column 'stored_byte' (did you mean 'stored_bytes'?)");
  CHECK_COMPLAINT(read_file(""), "state.csv", "the header is missing");
}

BOOST_AUTO_TEST_CASE(wrong_fields_are_named_with_their_line) {
  CHECK_COMPLAINT(read_file(short_header + "\nEREiIjMzRESVVWZmd3eIiB,0,9,5,COPY_SEGMENT_STARTED\n"),
                  "state.csv:2: segment_id: 'EREiIjMzRESVVWZmd3eIiB' is no id");
  CHECK_COMPLAINT(read_row("", "", "COPY_SEGMENT_FINISH"),
                  "state.csv:2: to_state: unknown state 'COPY_SEGMENT_FINISH' (did you mean 'COPY_SEGMENT_FINISHED'?)");
  CHECK_COMPLAINT(read_row(",from_state", ",GONE"), "state.csv:2: from_state: unknown state 'GONE'");
  CHECK_COMPLAINT(read_row(",partition", ",4"), "state.csv:2: partition: 4 is not within 0 and 3");
  CHECK_COMPLAINT(read_row(",broker", ",4"), "state.csv:2: broker: 4 is not within 0 and 3");
  CHECK_COMPLAINT(read_row(",local", ",maybe"), "state.csv:2: local: 'maybe'");
  CHECK_COMPLAINT(read_row(",stored_bytes", ",-1"), "state.csv:2: stored_bytes: -1 is not within 0");
  CHECK_COMPLAINT(read_row(",max_timestamp_ms", ",1.5"), "state.csv:2: max_timestamp_ms: '1.5': no whole number");
  CHECK_COMPLAINT(read_file(short_header + "\n" + id_a + ",9,8,5,COPY_SEGMENT_STARTED\n"),
                  "state.csv:2: end_offset: 8 is below start_offset, 9");
  CHECK_COMPLAINT(read_file(short_header + "\n" + id_a + ",9,,5,COPY_SEGMENT_STARTED\n"),
                  "state.csv:2: end_offset is missing");
}

BOOST_AUTO_TEST_CASE(a_story_that_cannot_be_is_an_error) {
  const auto two_rows = [](const std::string& second) {
    return read_file(short_header + ",from_state,max_timestamp_ms,segment_epochs\n" + id_a +
                     ",0,9,5,COPY_SEGMENT_FINISHED,,-7,4=0\n" + id_a + second + "\n");
  };
  CHECK_COMPLAINT(two_rows(",0,9,5,COPY_SEGMENT_STARTED,,,"),
                  "state.csv:3: to_state: COPY_SEGMENT_STARTED cannot follow COPY_SEGMENT_FINISHED");
  CHECK_COMPLAINT(two_rows(",0,9,5,DELETE_SEGMENT_STARTED,DANGLING,,"),
                  "state.csv:3: from_state: 'DANGLING', but the segment is COPY_SEGMENT_FINISHED by then");
  CHECK_COMPLAINT(two_rows(",1,9,5,DELETE_SEGMENT_STARTED,,,"),
                  "state.csv:3: start_offset: 1, but a row before says 0 of this segment");
  CHECK_COMPLAINT(two_rows(",0,9,6,DELETE_SEGMENT_STARTED,,,"), "state.csv:3: size_bytes: 6, but a row before says 5");
  CHECK_COMPLAINT(two_rows(",0,9,5,DELETE_SEGMENT_STARTED,,-8,"), "state.csv:3: max_timestamp_ms: -8, but");
  CHECK_COMPLAINT(two_rows(",0,9,5,DELETE_SEGMENT_STARTED,,,5=0"), "state.csv:3: segment_epochs: '5=0', but");
}

BOOST_AUTO_TEST_CASE(a_file_without_a_row_of_the_topic_is_an_error) {
  CHECK_COMPLAINT(read_row(",topic", ",order"),
                  "state.csv: no row is of topic 'orders'; there is 'order' (did you mean 'orders'?)");
}

const std::string one_segment = short_header + "\n" + id_a + ",1000,1999,1048576,COPY_SEGMENT_FINISHED\n";

BOOST_AUTO_TEST_CASE(a_scenario_names_its_file_relative_to_itself_and_is_printed_with_the_folders_name) {
  const MemoryFiles files{{{"in/state.csv", one_segment}}};
  const std::string text = minimal + "initial = state.csv\n";
  const auto scenario = read_scenario_text("in/world.ini", text, {}, test_kinds(), files);
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  const auto& file = scenario->topics.at(0).initial_file;
  BOOST_REQUIRE(file != nullptr);
  BOOST_TEST(file->copies.size() == 1U);
  BOOST_TEST(file->text == one_segment);
  BOOST_TEST(scenario->text.find("\ninitial = initial.1.csv\n") != std::string::npos);
  // The folder alone is read again.
  const auto again = read(scenario->text, {}, MemoryFiles{{{"initial.1.csv", file->text}}});
  BOOST_REQUIRE_MESSAGE(again, errors_of(again));
  BOOST_TEST(again->text == scenario->text);
  BOOST_TEST(again->topics.at(0).initial_file->copies.size() == 1U);
  BOOST_TEST(print_scenario(*scenario, PlanPlace::section).find("/in/state.csv\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_file_and_the_keys_do_not_stand_together) {
  const MemoryFiles files{{{"state.csv", one_segment}}};
  for (const char* const key : {"finished = 1", "closed = 1", "active = 1MiB", "age = 1h", "epochs = 0=0"}) {
    CHECK_COMPLAINT(read(minimal + "initial = state.csv\ninitial." + key + "\n", {}, files),
                    "world.ini:8: [topic.orders] initial.", "the file of 'initial' says what is there");
  }
}

BOOST_AUTO_TEST_CASE(a_missing_file_is_an_error_of_the_key) {
  CHECK_COMPLAINT(read(minimal + "initial = gone.csv\n"),
                  "world.ini:7: [topic.orders] initial: 'gone.csv': no such file");
}

BOOST_AUTO_TEST_CASE(finished_segments_that_nobody_can_read_are_noted) {
  const MemoryFiles files{
      {{"state.csv", short_header + ",stored_bytes\n" + id_a + ",0,9,1000,COPY_SEGMENT_FINISHED,1000\n"}}};
  const auto scenario = read(minimal + "initial = state.csv\n", {}, files);
  BOOST_REQUIRE_MESSAGE(scenario, errors_of(scenario));
  BOOST_TEST(scenario->notes.at(0).find("1 finished segments have fewer stored_bytes") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace sim
