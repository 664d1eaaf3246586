// What a page is made of: rows read in bounded memory, folded stories, thinned curves, and the file as a whole.
#include "reports/page.h"

#include <array>
#include <filesystem>

#include <boost/test/unit_test.hpp>

#include "reports/csv_stream.h"
#include "reports/json_writer.h"
#include "reports/lane_reader.h"
#include "reports/packed.h"
#include "reports/page_curves.h"

using namespace reports;

namespace {

/// A folder that goes away with its test.
class Folder {
 public:
  explicit Folder(const std::string& name) : path_(std::filesystem::temp_directory_path() / name) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, std::string_view text) const {
    BOOST_TEST_REQUIRE(write_file(path_ / name, text).has_value());
    return path_ / name;
  }
  std::string path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::vector<std::string> column(CsvStream& rows, std::size_t wanted) {
  std::vector<std::string> fields;
  while (rows.next()) fields.emplace_back(rows[wanted]);
  return fields;
}

constexpr std::string_view transitions_head =
    "time_ms,broker,topic,partition,leader_epoch,segment_id,start_offset,end_offset,size_bytes,from_state,to_state,"
    "cause,event\n";

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_SUITE(page)

BOOST_AUTO_TEST_CASE(reads_wanted_columns_in_any_order_with_quotes_and_line_breaks) {
  const Folder folder{"csv-stream"};
  const auto path = folder.write("a.csv", "a,b,c\r\n1,\"x, \"\"y\"\"\nz\",3\r\n4,,6");
  auto rows = CsvStream::open(path, std::array<std::string_view, 3>{"c", "b", "missing"});
  BOOST_TEST_REQUIRE(rows.has_value());
  BOOST_TEST_REQUIRE(rows->next());
  BOOST_TEST(rows->integer(0) == 3);
  BOOST_TEST((*rows)[1] == "x, \"y\"\nz");
  BOOST_TEST((*rows)[2] == "");
  BOOST_TEST_REQUIRE(rows->next());
  BOOST_TEST((*rows)[1] == "");
  BOOST_TEST(!rows->next());
  BOOST_TEST(rows->problem() == "");
}

BOOST_AUTO_TEST_CASE(reads_rows_across_blocks_and_longer_than_one) {
  const Folder folder{"csv-blocks"};
  const std::string wide(600'000, 'w');
  std::string text = "a,b\n";
  for (int i = 0; i < 50'000; ++i) text += std::to_string(i) + ",row\n";
  const auto path = folder.write("a.csv", text + wide + ",last\n");
  auto rows = CsvStream::open(path, std::array<std::string_view, 1>{"a"});
  const auto fields = column(*rows, 0);
  BOOST_TEST_REQUIRE(fields.size() == 50'001U);
  BOOST_TEST(fields[49'999] == "49999");
  BOOST_TEST((fields.back() == wide));
}

BOOST_AUTO_TEST_CASE(names_the_line_that_cannot_be_read) {
  const Folder folder{"csv-broken"};
  auto rows = CsvStream::open(folder.write("a.csv", "a,b\n1,2\n3\n"), std::array<std::string_view, 1>{"a"});
  BOOST_TEST(rows->next());
  BOOST_TEST(!rows->next());
  BOOST_TEST(contains(rows->problem(), "a.csv:3: 1 fields"));
}

BOOST_AUTO_TEST_CASE(folds_a_cycle_after_the_first_steps_and_loses_no_count) {
  FoldedSteps steps{2};
  // new, then forty cycles of two, then another end.
  steps.add(0, 0, 9);
  for (int i = 0; i < 40; ++i) {
    steps.add(10 + 2 * i, 10 + 2 * i, 1);
    steps.add(11 + 2 * i, 11 + 2 * i, 2);
  }
  steps.add(500, 500, 3);
  std::uint32_t total = 0;
  for (const auto& step : steps.steps()) total += step.count;
  BOOST_TEST(total == 82U);
  BOOST_TEST(steps.steps().size() < 8U);
  BOOST_TEST(steps.steps().back().kind == 3U);
  const auto& last_of_cycle = *(steps.steps().end() - 2);
  BOOST_TEST(last_of_cycle.kind == 2U);
  BOOST_TEST(last_of_cycle.last_time_ms == 89);
}

BOOST_AUTO_TEST_CASE(keeps_leftovers_when_copies_are_limited) {
  const Folder folder{"lanes"};
  std::string rows{transitions_head};
  for (const char* id : {"a", "b", "c"})
    rows += std::string{"1,1,t,0,0,"} + id + ",0,9,100,,COPY_SEGMENT_STARTED,copy,1\n";
  folder.write("transitions.csv", rows);
  folder.write("leftovers.csv",
               "segment_id,topic,partition,bytes,became_garbage_ms,reclaimed_ms,state,fault,step,reclaimed_by,due_by,"
               "due_ms\nc,t,0,70,5,,COPY_SEGMENT_STARTED,outage,copy-upload,,none,\n");
  const auto book = read_lanes(folder.path(), {.copies = 2});
  BOOST_TEST_REQUIRE(book.has_value());
  BOOST_TEST_REQUIRE(book->copies.size() == 2U);
  BOOST_TEST(book->ids.list()[1] == "c");
  BOOST_TEST(book->copies[1].leftover.has_value());
  BOOST_TEST(book->copies_left_out == 1U);
  BOOST_TEST(book->partitions[0].copy_count == 3U);
  BOOST_TEST(book->causes[0].never_count == 1U);
  BOOST_TEST(!book->has_calls);
}

BOOST_AUTO_TEST_CASE(takes_copies_out_that_tell_least) {
  LaneBook book;
  const auto add = [&](const char* id, std::optional<std::int64_t> bytes) {
    book.ids.number_of(id);
    auto& copy = book.copies.emplace_back();
    copy.start_offset = static_cast<std::int64_t>(book.copies.size());
    if (bytes) copy.leftover = LaneLeftover{.bytes = *bytes};
  };
  add("clean", {});
  add("small", 10);
  add("ghost", 0);
  add("great", 900);
  thin_copies(book, 4);
  BOOST_TEST(book.copies_left_out == 0U);
  thin_copies(book, 2);
  BOOST_TEST(book.ids.list() == (std::vector<std::string>{"small", "great"}), boost::test_tools::per_element());
  BOOST_TEST(book.copies[1].start_offset == 4);
  BOOST_TEST(book.copies_left_out == 2U);
  BOOST_TEST(book.leftovers_left_out == 1U);
}

BOOST_AUTO_TEST_CASE(thins_curves_and_keeps_peaks_and_changes_of_a_fault) {
  const Folder folder{"curves"};
  std::string rows = "time_ms,topic,garbage_bytes,garbage_bytes_max,active_faults\n";
  for (int i = 0; i < 1'000; ++i)
    rows += std::to_string(i) + ",*,0," + (i == 501 ? "777" : "0") + (i < 333 ? ",0\n" : ",1\n");
  const auto curves = TopicCurves::read(folder.write("curves.csv", rows), 100);
  BOOST_TEST_REQUIRE(curves.has_value());
  BOOST_TEST(curves->all.row_count == 1'000U);
  BOOST_TEST(curves->all.rows.size() <= 110U);
  std::int64_t peak = 0;
  bool has_change = false;
  for (const auto& row : curves->all.rows) {
    peak = std::max(peak, row[19]);
    has_change |= row[0] == 333;
  }
  BOOST_TEST(peak == 777);
  BOOST_TEST(has_change);
}

BOOST_AUTO_TEST_CASE(tells_topics_apart_and_counts_those_that_it_leaves_out) {
  const Folder folder{"topic-curves"};
  std::string rows = "time_ms,topic,garbage_bytes\n";
  const auto path = folder.write("curves.csv", rows + "0,*,5\n0,only,5\n");
  auto curves = TopicCurves::read(path, 100);
  BOOST_TEST_REQUIRE(curves.has_value());
  // One topic is what all topics are.
  BOOST_TEST(curves->topics.empty());
  constexpr int topic_count = 20;
  for (const int time : {0, 10}) {
    rows += std::to_string(time) + ",*,190\n";
    for (int topic = 0; topic < topic_count; ++topic)
      rows += std::to_string(time) + ",t" + std::to_string(topic) + "," + std::to_string(topic) + "\n";
  }
  folder.write("curves.csv", rows);
  curves = TopicCurves::read(path, 100);
  BOOST_TEST_REQUIRE(curves.has_value());
  BOOST_TEST(curves->all.rows.size() == 2U);
  BOOST_TEST_REQUIRE(curves->topics.size() == TopicCurves::topics_most);
  BOOST_TEST(curves->topics[7].first == "t7");
  BOOST_TEST(curves->topics[7].second.rows.size() == 2U);
  BOOST_TEST(curves->topics[7].second.rows[1][12] == 7);
  BOOST_TEST(curves->topics_left_out == topic_count - TopicCurves::topics_most);
}

BOOST_AUTO_TEST_CASE(packs_as_gzip_in_base64) {
  BOOST_TEST(packed("").substr(0, 4) == "H4sI");
  BOOST_TEST(packed(std::string(100'000, 'x')).size() < 300U);
  BOOST_TEST(packed("abc") == packed("abc"));
}

BOOST_AUTO_TEST_CASE(sets_the_commas_of_a_json_text) {
  JsonWriter json;
  json.object().key("a").integer(1).key("b").array().text("x\"").null().end_array().key("c").boolean(true).end_object();
  BOOST_TEST(json.result() == R"({"a":1,"b":["x\"",null],"c":true})");
}

BOOST_AUTO_TEST_SUITE_END()
