// Every form of a line that dumps of the metadata topic have: the console formatter's and the dump tool's texts of
// Kafka 3.6 to 4.x (KIP-405, KIP-917, KAFKA-16228, KAFKA-16780). The sample lines are made up.
#include "reports/import/dump_reader.h"

#include <zlib.h>
#include <zstd.h>

#include <boost/test/unit_test.hpp>

#include "tests/reports/import/import_support.h"

namespace reports::import_test {
namespace {

std::string gzipped(const std::string& text) {
  z_stream stream{};
  BOOST_REQUIRE(deflateInit2(&stream, 5, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string packed(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  BOOST_REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string zstd_packed(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

/// A copy, finished; another that failed, with a delete that needed two tries.
std::string story() {
  using S = std::string_view;
  std::string text = console(0, copy_text()) + console(1, update_text());
  text += console(2, copy_text({.id = second_id, .start = 1000, .end = 1999, .epochs = "4=1000, 6=1500"}));
  std::int64_t offset = 3;
  for (const S state : {S{"DELETE_SEGMENT_STARTED"}, S{"DELETE_SEGMENT_STARTED"}, S{"DELETE_SEGMENT_FINISHED"}})
    text += console(offset++, update_text({.id = second_id, .state = state}));
  return text;
}

const std::vector<std::string> story_transitions{
    "1735689600000 demo-topic.v1-7 EREiIjMzRESVVWZmd3eIiA ->COPY_SEGMENT_STARTED",
    "1735689604200 demo-topic.v1-7 EREiIjMzRESVVWZmd3eIiA COPY_SEGMENT_STARTED->COPY_SEGMENT_FINISHED",
    "1735689600000 demo-topic.v1-7 Lz5NXGt6iZintsXU4_IBEA ->COPY_SEGMENT_STARTED",
    "1735689604200 demo-topic.v1-7 Lz5NXGt6iZintsXU4_IBEA COPY_SEGMENT_STARTED->DELETE_SEGMENT_STARTED",
    "1735689604200 demo-topic.v1-7 Lz5NXGt6iZintsXU4_IBEA DELETE_SEGMENT_STARTED->DELETE_SEGMENT_STARTED",
    "1735689604200 demo-topic.v1-7 Lz5NXGt6iZintsXU4_IBEA DELETE_SEGMENT_STARTED->DELETE_SEGMENT_FINISHED"};

void check_lines(const std::vector<std::string>& lines, const std::vector<std::string>& expected) {
  BOOST_TEST(lines == expected, boost::test_tools::per_element());
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(import_reader)

BOOST_AUTO_TEST_CASE(folds_what_the_console_consumer_prints) {
  Folded folded;
  folded.read(story());
  check_lines(folded.lines, story_transitions);
  BOOST_TEST(folded.reader.counts().taken == 6U);
  BOOST_TEST(folded.reader.counts().ignored == 0U);
  // Only the finished copy is kept: memory is for ids that are not DELETE_SEGMENT_FINISHED.
  BOOST_TEST(folded.fold.segments().size() == 1U);
  const auto* const left = folded.fold.segments().find(*uuid_from_base64(first_id));
  BOOST_REQUIRE(left != nullptr);
  BOOST_TEST(left->size_bytes == 1048576);
  BOOST_TEST(left->end_offset == 999);
  BOOST_TEST(folded.fold.segments().epochs(*left) == "4=0");
}

BOOST_AUTO_TEST_CASE(takes_the_append_time_from_the_dump_tool) {
  Folded folded;
  folded.read(
      "Dumping 00000000000000000000.log\nLog starting offset: 0\nbaseOffset: 0 lastOffset: 0 count: 1 crc: 1\n" +
          dumped(0, copy_text(), 1735689600012) + dumped(1, update_text(), 1735689604300) +
          "Found 12 invalid bytes at the end of 00000000000000000000.log\n",
      "data/__remote_log_metadata-29/00000000000000000000.log.txt");
  check_lines(folded.lines,
              {"1735689600012 demo-topic.v1-7 EREiIjMzRESVVWZmd3eIiA ->COPY_SEGMENT_STARTED",
               "1735689604300 demo-topic.v1-7 EREiIjMzRESVVWZmd3eIiA COPY_SEGMENT_STARTED->COPY_SEGMENT_FINISHED"});
  BOOST_TEST(folded.reader.counts().ignored == 4U);
  BOOST_TEST(folded.fold.streams().count(29) == 1U);
  BOOST_TEST(folded.reader.counts().notes.empty());
}

BOOST_AUTO_TEST_CASE(computes_the_metadata_partition_where_no_folder_names_it) {
  Folded folded;
  folded.read(dumped(5, copy_text(), 1735689600012));
  // Topic id and partition that Kafka's partitioner puts into 29 of 50.
  BOOST_TEST(folded.fold.streams().count(29) == 1U);
  BOOST_TEST(folded.reader.counts().notes.size() == 1U);
}

BOOST_AUTO_TEST_CASE(takes_every_version_of_the_text) {
  const auto with_index =
      replaced(copy_text(), "state=COPY_SEGMENT_STARTED}", "state=COPY_SEGMENT_STARTED, txnIdxEmpty=true}");
  const auto before_917 = replaced(copy_text(), "customMetadata=Optional.empty, ", "");
  const auto unknown_field = replaced(copy_text(), "startOffset=0", "leader={of=[1, {2}], by=x}, startOffset=0");
  for (const auto& value : {copy_text(), with_index, before_917, unknown_field}) {
    for (const auto& line :
         {console(0, value), value + "\n", " payload: " + value + "\n",
          "2025-01-01T00:00:00.1Z stdout F [main] INFO " + console(0, value) + "\r", "> " + value + " (pasted) }\n"}) {
      Folded folded;
      folded.read(line);
      check_lines(folded.lines, {story_transitions[0]});
    }
  }
}

BOOST_AUTO_TEST_CASE(joins_a_record_that_a_terminal_broke) {
  const auto whole = console(0, copy_text());
  std::string broken;
  for (std::size_t at = 0; at < whole.size(); at += 80) broken += whole.substr(at, 80) + "\n";
  Folded folded;
  folded.read(broken + console(1, update_text()));
  check_lines(folded.lines, {story_transitions[0], story_transitions[1]});
  const auto& counts = folded.reader.counts();
  BOOST_TEST(counts.unreadable == 0U);
  BOOST_TEST(counts.ignored == 1U);  // A blank line behind the record.
  BOOST_TEST(counts.joined > 2U);
  BOOST_TEST(counts.taken + counts.joined + counts.ignored == counts.lines);
}

BOOST_AUTO_TEST_CASE(tells_of_a_file_that_ends_in_a_records_head) {
  const auto whole = console(0, copy_text());
  const auto second = console(1, update_text());
  for (const std::size_t size : {5U, 20U, 35U, 48U}) {
    Folded folded;
    folded.read(whole + second.substr(0, size));
    const auto& counts = folded.reader.counts();
    BOOST_TEST(counts.unreadable == 1U, size);
    BOOST_TEST(counts.ignored == 0U, size);
    BOOST_REQUIRE(counts.notes.size() == 1U);
    BOOST_TEST(counts.notes[0].find("ends in the middle of a record") != std::string::npos);
  }
  Folded folded;
  folded.read(whole + "Processed a total of 1 messages");
  BOOST_TEST(folded.reader.counts().ignored == 1U);
  BOOST_TEST(folded.reader.counts().notes.empty());
}

BOOST_AUTO_TEST_CASE(passes_over_noise_and_counts_it) {
  Folded folded;
  std::string noise;
  for (int i = 0; i < 3'000; ++i) noise += static_cast<char>(i * 37 % 256);
  folded.read("log4j:WARN No appenders could be found\n" + console(0, copy_text()) + "$ \n" + noise + "\n" +
              console(1, update_text()) + "Processed a total of 2 messages\n");
  check_lines(folded.lines, {story_transitions[0], story_transitions[1]});
  BOOST_TEST(folded.reader.counts().unreadable == 0U);
  BOOST_TEST(folded.reader.counts().ignored + 2 == folded.reader.counts().lines);
}

BOOST_AUTO_TEST_CASE(names_lines_that_cannot_be_read_and_goes_on) {
  Folded folded;
  folded.read("\n" + console(0, replaced(copy_text(), "id=EREi", "id=ER")) +
              console(1, copy_text({.start = 10, .end = 9})) +
              console(2, replaced(copy_text(), "eventTimestampMs=1735689600000", "eventTimestampMs=soon")) +
              console(3, replaced(copy_text(), ":demo-topic.v1-7", ":demo topic-7")) + console(4, copy_text()));
  check_lines(folded.lines, {story_transitions[0]});
  const auto& counts = folded.reader.counts();
  BOOST_TEST(counts.unreadable == 4U);
  BOOST_REQUIRE(counts.told.size() == 3U);
  BOOST_TEST(counts.told[0].line == 2U);
  BOOST_TEST(counts.told[0].reason == "id 'ERIjMzRESVVWZmd3eIiA' has 20 characters, not 22");
  BOOST_TEST(counts.told[1].reason == "endOffset 9 before startOffset 10");
  BOOST_TEST(counts.told[2].reason == "eventTimestampMs is no time: 'soon'");
  // They stand at their offsets: none is missing.
  BOOST_TEST(folded.fold.streams().at(29).seen.missing() == 0);
}

BOOST_AUTO_TEST_CASE(reads_as_far_as_a_truncated_file_goes) {
  const auto whole = story();
  Folded folded;
  folded.read(whole.substr(0, whole.size() - 40));
  check_lines(folded.lines, {story_transitions.begin(), story_transitions.end() - 1});
  BOOST_TEST(folded.reader.counts().unreadable == 1U);
  BOOST_TEST(folded.reader.counts().told[0].reason == "the record's braces do not close");
}

BOOST_AUTO_TEST_CASE(unpacks_gzip_and_zstd) {
  const auto text = story();
  const auto half = text.find("partition: 29, offset: 2");
  for (const auto& packed :
       {gzipped(text), zstd_packed(text), gzipped(text.substr(0, half)) + gzipped(text.substr(half)),
        zstd_packed(text.substr(0, half)) + zstd_packed(text.substr(half))}) {
    Folded folded;
    folded.read(packed);
    check_lines(folded.lines, story_transitions);
    BOOST_TEST(folded.reader.counts().notes.empty());
  }
}

BOOST_AUTO_TEST_CASE(says_that_packed_data_ends_in_the_middle) {
  for (const auto& packed : {gzipped(story()), zstd_packed(story())}) {
    Folded folded;
    folded.read(packed.substr(0, packed.size() - 12));
    BOOST_REQUIRE(folded.reader.counts().notes.size() == 1U);
    BOOST_TEST(folded.reader.counts().notes[0].find("ends in the middle") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(collapses_what_two_brokers_dumps_share) {
  const auto whole = story();
  const auto third = whole.find("partition: 29, offset: 3");
  Folded folded;
  folded.read(whole.substr(0, third), "a.txt").read(whole, "b.txt").read(whole, "c.txt");
  check_lines(folded.lines, story_transitions);
  BOOST_TEST(folded.reader.counts().repeated == 9U);
  BOOST_TEST(folded.fold.streams().at(29).seen.gaps() == 0U);
}

BOOST_AUTO_TEST_CASE(takes_late_records_of_other_segments_and_names_those_of_the_same) {
  Folded folded;
  folded.read(console(10, copy_text()) + console(12, update_text({.state = "DELETE_SEGMENT_STARTED"})));
  folded.read(console(11, update_text()) + console(9, copy_text({.id = second_id})));
  check_lines(folded.lines, {story_transitions[0],
                             "1735689604200 demo-topic.v1-7 EREiIjMzRESVVWZmd3eIiA "
                             "COPY_SEGMENT_STARTED->DELETE_SEGMENT_STARTED",
                             "dropped 1735689604200 demo-topic.v1-7 EREiIjMzRESVVWZmd3eIiA "
                             "DELETE_SEGMENT_STARTED->COPY_SEGMENT_FINISHED",
                             story_transitions[2]});
  BOOST_TEST(folded.fold.partitions()[0].late.count == 1U);
  BOOST_TEST((folded.fold.partitions()[0].late.first_id == *uuid_from_base64(first_id)));
}

BOOST_AUTO_TEST_CASE(orders_by_offset_and_never_by_clock) {
  Folded folded;
  folded.read(console(0, copy_text({.time_ms = 2'000'000})) + console(1, update_text({.time_ms = 1'000'000})));
  check_lines(folded.lines, {"2000000 demo-topic.v1-7 EREiIjMzRESVVWZmd3eIiA ->COPY_SEGMENT_STARTED",
                             "1000000 demo-topic.v1-7 EREiIjMzRESVVWZmd3eIiA "
                             "COPY_SEGMENT_STARTED->COPY_SEGMENT_FINISHED"});
  BOOST_TEST(folded.fold.segments().find(*uuid_from_base64(first_id))->since_ms == 2'000'000);
}

BOOST_AUTO_TEST_CASE(keeps_an_id_whose_beginning_the_dump_lacks) {
  Folded folded;
  folded.read(console(500, update_text()) + console(501, update_text({.state = "DELETE_SEGMENT_STARTED"})));
  check_lines(folded.lines, {"dropped 1735689604200 demo-topic.v1-7 EREiIjMzRESVVWZmd3eIiA ->COPY_SEGMENT_FINISHED",
                             "dropped 1735689604200 demo-topic.v1-7 EREiIjMzRESVVWZmd3eIiA ->DELETE_SEGMENT_STARTED"});
  BOOST_TEST(folded.fold.partitions()[0].without_base.count == 1U);
  const auto* const left = folded.fold.segments().find(*uuid_from_base64(first_id));
  BOOST_REQUIRE(left != nullptr);
  BOOST_TEST(left->size_bytes == -1);
  BOOST_TEST(left->is_unfounded);
}

BOOST_AUTO_TEST_CASE(drops_what_the_transition_table_forbids) {
  Folded folded;
  folded.read(console(0, copy_text()) + console(1, update_text({.state = "DELETE_SEGMENT_FINISHED"})));
  check_lines(folded.lines, {story_transitions[0],
                             "dropped 1735689604200 demo-topic.v1-7 EREiIjMzRESVVWZmd3eIiA "
                             "COPY_SEGMENT_STARTED->DELETE_SEGMENT_FINISHED"});
  BOOST_TEST(folded.fold.partitions()[0].illegal.count == 1U);
}

// The cache has forgotten the id (facts 2.3).
BOOST_AUTO_TEST_CASE(drops_and_counts_a_delete_that_starts_after_one_that_finished) {
  auto text = story() + console(6, update_text({.id = second_id, .state = "DELETE_SEGMENT_FINISHED"}));
  text += console(7, update_text({.id = second_id, .state = "DELETE_SEGMENT_STARTED"}));
  Folded folded;
  folded.read(text);
  auto expected = story_transitions;
  expected.push_back(
      "dropped 1735689604200 demo-topic.v1-7 Lz5NXGt6iZintsXU4_IBEA "
      "->DELETE_SEGMENT_FINISHED");
  expected.push_back(
      "dropped 1735689604200 demo-topic.v1-7 Lz5NXGt6iZintsXU4_IBEA "
      "->DELETE_SEGMENT_STARTED");
  check_lines(folded.lines, expected);
  BOOST_TEST(folded.fold.partitions()[0].after_finished.count == 1U);
}

BOOST_AUTO_TEST_CASE(keeps_states_that_nobody_knows_as_text) {
  Folded folded;
  folded.read(console(0, copy_text()) + console(1, update_text({.state = "DANGLING"})) +
              console(2, update_text({.state = "QUARANTINED"})) +
              console(3, update_text({.state = "DELETE_SEGMENT_STARTED"})));
  check_lines(
      folded.lines,
      {story_transitions[0], "1735689604200 demo-topic.v1-7 EREiIjMzRESVVWZmd3eIiA COPY_SEGMENT_STARTED->DANGLING",
       "1735689604200 demo-topic.v1-7 EREiIjMzRESVVWZmd3eIiA DANGLING->QUARANTINED",
       "1735689604200 demo-topic.v1-7 EREiIjMzRESVVWZmd3eIiA QUARANTINED->DELETE_SEGMENT_STARTED"});
}

BOOST_AUTO_TEST_CASE(takes_a_record_that_the_tool_could_not_decode_for_a_hint) {
  const auto error = [](std::int64_t offset, std::string_view message) {
    return dumped(offset, fmt::format("Error at offset {}, skipping. {}", offset, message), 5);
  };
  Folded folded;
  folded.read(dumped(0, copy_text(), 5) + error(1, "state can not be null") + error(2, "buffer underflow"),
              "__remote_log_metadata-29/0.txt");
  const auto& stream = folded.fold.streams().at(29);
  BOOST_TEST(stream.undecodable == 2U);
  BOOST_TEST(stream.unknown_state == 1U);
  BOOST_TEST(stream.first_unknown_state == 1);
  BOOST_TEST(stream.seen.missing() == 0);
  BOOST_TEST(folded.reader.counts().unreadable == 0U);
}

BOOST_AUTO_TEST_CASE(knows_a_state_unknown_to_the_tool_wherever_the_tool_says_it) {
  const std::string_view error = "Error at offset 1, skipping. state can not be null\n";
  for (const std::string_view head : {"", "| offset: 1 CreateTime: 5 keySize: 4 valueSize: 9 headerKeys: [] key: "}) {
    Folded folded;
    folded.read(dumped(0, copy_text(), 5) + std::string{head} + std::string{error}, "__remote_log_metadata-29/0.txt");
    const auto& stream = folded.fold.streams().at(29);
    BOOST_TEST(stream.unknown_state == 1U);
    BOOST_TEST(stream.first_unknown_state == 1);
    BOOST_TEST(folded.reader.counts().undecodable == 1U);
  }
}

BOOST_AUTO_TEST_CASE(accepts_partition_deletions_snapshots_and_edge_values) {
  const std::string deletion = fmt::format(
      "RemotePartitionDeleteMetadata{{topicPartition={}:demo-topic.v1-7, state=DELETE_PARTITION_MARKED, "
      "eventTimestampMs=1735689690000, brokerId=0}}",
      topic_id);
  const std::string snapshot = fmt::format(
      "RemoteLogSegmentMetadataSnapshot{{segmentId={}, startOffset=0, endOffset=999, maxTimestampMs=1, "
      "segmentLeaderEpochs={{4=0}}, segmentSizeInBytes=1048576, customMetadata=Optional[CustomMetadata{{27 bytes}}], "
      "state=COPY_SEGMENT_FINISHED}}",
      first_id);
  Folded folded;
  folded.read(console(6, deletion) + console(7, snapshot) +
              console(8, copy_text({.start = 2000, .end = 2000, .max_timestamp_ms = -1, .size = 77})));
  BOOST_TEST(folded.fold.partitions()[0].delete_state == "DELETE_PARTITION_MARKED");
  BOOST_TEST(folded.reader.counts().taken == 2U);
  BOOST_TEST(folded.reader.counts().ignored == 1U);
  BOOST_TEST(folded.fold.segments().find(*uuid_from_base64(first_id))->max_timestamp_ms == -1);
}

BOOST_AUTO_TEST_CASE(takes_only_the_topics_asked_for_and_knows_no_gap_for_that) {
  Folded folded{{"demo-topic.v1"}};
  folded.read(console(0, copy_text({.id = second_id, .topic = "other-topic"})) + console(1, copy_text()));
  check_lines(folded.lines, {story_transitions[0]});
  BOOST_TEST(folded.reader.counts().other_topics == 1U);
  BOOST_TEST(folded.fold.streams().at(29).seen.first() == 0);
}

BOOST_AUTO_TEST_CASE(takes_times_before_1970_which_worlds_have_that_begin_there) {
  Folded folded;
  folded.read(console(0, copy_text({.time_ms = -600'000})) + console(1, copy_text({.time_ms = -1})));
  BOOST_TEST(folded.reader.counts().unreadable == 0U);
  BOOST_TEST(*folded.fold.first_ms() == -600'000);
}

BOOST_AUTO_TEST_CASE(anonymises_consistently) {
  Anonymiser anonymiser;
  Folded folded{{"demo-topic.v1"}, &anonymiser};
  folded.read(story() + console(9, copy_text({.id = second_id, .topic = "other"})));
  BOOST_TEST(folded.lines.size() == story_transitions.size());
  for (const auto& line : folded.lines) {
    BOOST_TEST(line.find("demo") == std::string::npos);
    BOOST_TEST(line.find(first_id) == std::string::npos);
    BOOST_TEST(line.find("topic-1-7") != std::string::npos);
  }
  const auto* const left = folded.fold.segments().find(anonymiser.change(*uuid_from_base64(first_id)));
  BOOST_REQUIRE(left != nullptr);
  BOOST_TEST(left->size_bytes == anonymiser.change_size(1048576));
  BOOST_TEST(left->broker == 1);
}

BOOST_AUTO_TEST_CASE(finds_segments_again_when_others_come_and_go) {
  SegmentTable table;
  const auto id_of = [](std::uint64_t number) { return Uuid{.most = number % 7, .least = number + 1}; };
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    table.insert(id_of(i)).start_offset = static_cast<std::int64_t>(i);
    if (i % 3 != 0) table.erase(*table.find(id_of(i)));
  }
  std::size_t found = 0;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const auto* const segment = table.find(id_of(i));
    BOOST_REQUIRE((segment != nullptr) == (i % 3 == 0));
    if (segment == nullptr) continue;
    ++found;
    BOOST_REQUIRE(segment->start_offset == static_cast<std::int64_t>(i));
  }
  BOOST_TEST(table.size() == found);
  static_assert(sizeof(ImportedSegment) <= 96, "with the table's own part an id has to stay below 200 bytes");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace reports::import_test
