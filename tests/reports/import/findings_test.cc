// What import says of what is left, against facts 5.6, 6.3, 6.8 and the rule for deleting objects.
#include "reports/import/findings.h"

#include <boost/test/unit_test.hpp>

#include "reports/import/curve_fold.h"
#include "reports/import/import.h"
#include "tests/reports/import/import_support.h"
#include "tests/reports/sample_run.h"

namespace reports::import_test {
namespace {

constexpr std::int64_t hour = 3'600'000;
constexpr std::int64_t day = 24 * hour;
constexpr std::int64_t start = 1735689600000;

/// An id that differs from others in its first characters.
std::string id_of(int number) { return fmt::format("S{:02}iIjMzRESVVWZmd3eIiA", number); }

/// A dump of one partition, with offsets from 0.
class Dump {
 public:
  Dump& copy(int number, std::int64_t first, std::int64_t last, std::int64_t time_ms, std::string_view topic = "t",
             std::string_view of_topic = topic_id) {
    const auto id = id_of(number);
    text_ += console(offset_++, copy_text({.id = id,
                                           .topic = topic,
                                           .partition = 0,
                                           .start = first,
                                           .end = last,
                                           .time_ms = time_ms,
                                           .max_timestamp_ms = time_ms,
                                           .size = 1000,
                                           .topic_id = of_topic}));
    return *this;
  }
  Dump& to(int number, std::string_view state, std::int64_t time_ms, std::string_view topic = "t",
           std::string_view of_topic = topic_id) {
    const auto id = id_of(number);
    text_ += console(
        offset_++,
        update_text(
            {.id = id, .state = state, .time_ms = time_ms, .topic = topic, .partition = 0, .topic_id = of_topic}));
    return *this;
  }
  Dump& finished(int number, std::int64_t first, std::int64_t last, std::int64_t time_ms) {
    return copy(number, first, last, time_ms).to(number, "COPY_SEGMENT_FINISHED", time_ms + 1000);
  }
  Dump& skip(std::int64_t count) {
    offset_ += count;
    return *this;
  }
  Dump& line(std::string_view text) {
    text_ += text;
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::int64_t offset_ = 0;
};

/// The result of an import, its findings as `finding id due_by due advice bytes`.
struct Imported {
  ImportResult result;
  std::vector<std::string> findings;
  std::vector<std::string> details;
};

ImportConfig retention(std::int64_t milliseconds, std::int64_t bytes = -1) {
  return {.others = {.milliseconds = milliseconds, .bytes = bytes}};
}

Imported import(const Dump& dump, ImportOptions options = {}) {
  const reports_test::ScratchFolder place;
  options.dumps = {place.path() + "/dump.txt"};
  options.folder = place.path() + "/out";
  options.manifest.kind = "import";
  BOOST_REQUIRE(write_file(options.dumps[0], dump.text()).has_value());
  auto result = import_dumps(options);
  BOOST_REQUIRE(result.has_value());
  Imported imported{*result, {}, {}};
  auto read = read_csv(options.folder + "/findings.csv", [&](const CsvRow& row) {
    imported.findings.push_back(fmt::format("{} {} {} {} {} {}", row["finding"], row["segment_id"].substr(0, 3),
                                            row["due_by"], row["due_ms"].empty() ? "-" : row["due_ms"], row["advice"],
                                            row["bytes"]));
    imported.details.emplace_back(row["detail"]);
  });
  BOOST_REQUIRE(read.has_value());
  return imported;
}

/// Why an import is refused.
std::string refused(const Dump& dump, ImportOptions options = {}) {
  const reports_test::ScratchFolder place;
  options.dumps = {place.path() + "/dump.txt"};
  options.folder = place.path() + "/out";
  BOOST_REQUIRE(write_file(options.dumps[0], dump.text()).has_value());
  const auto result = import_dumps(options);
  BOOST_REQUIRE(!result.has_value());
  BOOST_TEST(result.error().is_input);
  BOOST_TEST(!read_file(options.folder + "/findings.csv").has_value());
  return result.error().text;
}

void check_findings(const Imported& imported, const std::vector<std::string>& expected) {
  BOOST_TEST(imported.findings == expected, boost::test_tools::per_element());
}

ImportOptions with(ImportConfig config, KafkaVersion version = KafkaVersion::v4_0) {
  return {.now_ms = start + 3 * hour, .version = version, .config = std::move(config)};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(import_findings)

BOOST_AUTO_TEST_CASE(finds_nothing_where_all_is_well) {
  const auto imported = import(Dump{}.finished(1, 0, 9, start).finished(2, 10, 19, start + hour), with(retention(day)));
  check_findings(imported, {});
  BOOST_TEST(imported.result.waste.bytes == 0);
}

BOOST_AUTO_TEST_CASE(tells_a_copy_left_behind_from_one_at_work) {
  const auto imported = import(Dump{}
                                   .copy(1, 0, 9, start)               // Copied again.
                                   .finished(2, 0, 9, start + 60'000)  //
                                   .copy(3, 10, 19, start + 120'000)   // Not copied again, old.
                                   .copy(4, 20, 29, start + 3 * hour - 1000),
                               with(retention(day)));
  check_findings(imported, {fmt::format("abandoned-copy S01 retention {} wait 1000", start + 60'000 + day),
                            fmt::format("stuck-copy S03 retention {} wait 1000", start + 120'000 + day)});
  BOOST_TEST(imported.result.waste.young_copies == 1U);
  BOOST_TEST(imported.result.waste.due_bytes == 2000);
  BOOST_TEST(*imported.result.waste.last_due_ms == start + 120'000 + day);
}

BOOST_AUTO_TEST_CASE(dates_a_delete_by_what_stands_before_it) {
  // Facts 6.8: behind a retained copy it waits, whatever its own age; before all of them it is tried every run.
  const auto behind =
      Dump{}.finished(1, 0, 9, start).copy(2, 10, 19, start).to(2, "DELETE_SEGMENT_STARTED", start + 1000);
  const auto first = Dump{}.copy(2, 0, 9, start).to(2, "DELETE_SEGMENT_STARTED", start + 1000).finished(1, 0, 9, start);
  check_findings(import(behind, with(retention(day))),
                 {fmt::format("delete-left S02 expiration {} wait 1000", start + day)});
  // Of equal offsets the finished copy comes first in the leader's list (facts 2.6).
  check_findings(import(first, with(retention(day))),
                 {fmt::format("delete-left S02 expiration {} wait 1000", start + day)});
  const auto alone =
      Dump{}.copy(2, 0, 9, start).to(2, "DELETE_SEGMENT_STARTED", start + 1000).finished(1, 10, 19, start);
  check_findings(import(alone, with(retention(day))), {"delete-left S02 expiration 0 move-leader 1000"});
  check_findings(import(alone, with(retention(day), KafkaVersion::v3_9)),
                 {fmt::format("delete-left S02 retention {} wait 1000", start + day)});
  check_findings(import(alone, with(retention(day), KafkaVersion::v3_6)),
                 {fmt::format("delete-left S02 retention {} wait 1000", start + day)});
}

BOOST_AUTO_TEST_CASE(says_never_only_when_retention_is_known_to_be_unlimited) {
  const auto dump = Dump{}.finished(1, 0, 9, start).copy(2, 10, 19, start).finished(3, 10, 19, start + 1000);
  check_findings(import(dump, with(retention(-1))), {"abandoned-copy S02 none - look 1000"});
  check_findings(import(dump, with(retention(-1, 5000))), {"abandoned-copy S02  - look 1000"});
  const auto unknown = import(dump, with({}));
  check_findings(unknown, {"abandoned-copy S02  - look 1000"});
  BOOST_TEST(unknown.details[0].find("retention is not known") != std::string::npos);
  BOOST_TEST(unknown.result.lacks_retention);
  BOOST_TEST(unknown.result.waste.unknown_bytes == 1000);
}

BOOST_AUTO_TEST_CASE(counts_a_millisecond_more_from_4_3_on) {
  const auto dump = Dump{}.copy(1, 0, 9, start);
  check_findings(import(dump, with(retention(day), KafkaVersion::v4_3)),
                 {fmt::format("stuck-copy S01 retention {} wait 1000", start + day + 1)});
}

BOOST_AUTO_TEST_CASE(finds_copies_that_a_later_one_replaced_and_those_past_retention) {
  const auto imported = import(Dump{}.finished(1, 0, 9, start).finished(2, 0, 19, start + 1000), with(retention(day)));
  check_findings(imported, {fmt::format("superseded-copy S01 retention {} wait 1000", start + 1000 + day)});
  const auto expired = import(Dump{}.finished(1, 0, 9, start), with(retention(hour)));
  check_findings(expired, {fmt::format("expired-copy S01 retention {} move-leader 1000", start + hour)});
  BOOST_TEST(expired.result.waste.overdue_bytes == 1000);
}

BOOST_AUTO_TEST_CASE(finds_dangling_and_unknown_states) {
  const auto imported = import(Dump{}
                                   .copy(1, 0, 9, start)
                                   .to(1, "DANGLING", start + 1000)
                                   .copy(2, 10, 19, start)
                                   .to(2, "QUARANTINED", start + 1000),
                               with(retention(day)));
  check_findings(imported, {"dangling-left S01  - look 1000", "unknown-state S02  - look 1000"});
  BOOST_TEST(imported.details[0].find("no sweep of Kafka 4.0's comes for it") != std::string::npos);
  BOOST_TEST(imported.result.waste.unknown_bytes == 1000);
}

BOOST_AUTO_TEST_CASE(finds_a_topic_that_was_deleted_and_made_again) {
  const std::string_view other = "MP_u3cy7qpmId2ZVRDMiEQ";
  auto dump = Dump{}.finished(1, 0, 9, start);
  dump.copy(2, 0, 9, start + hour, "t", other).to(2, "COPY_SEGMENT_FINISHED", start + hour, "t", other);
  check_findings(import(dump, with(retention(day))), {"topic-deleted S01 none - look 1000"});
  auto cut_off = Dump{}.finished(1, 0, 9, start).finished(2, 10, 19, start);
  cut_off.to(1, "DELETE_SEGMENT_STARTED", start + 2000).to(2, "DELETE_SEGMENT_STARTED", start + 2000);
  check_findings(import(cut_off, with(retention(day))),
                 {"topic-deleted S01 none - look 1000", "topic-deleted S02 none - look 1000"});
}

// One character of a topic's id was damaged, and dumps of two clusters that have a topic of one name.
BOOST_AUTO_TEST_CASE(condemns_no_topic_whose_records_go_on_beside_another_of_its_name) {
  const std::string_view other = "ASNFZ4mrze-O3LqYdlQyEQ";
  const std::vector<std::string> conflict{"topic-id-conflict   - look "};
  auto in_the_middle = Dump{}.finished(1, 0, 9, start).copy(2, 10, 19, start + 2000, "t", other);
  in_the_middle.finished(3, 20, 29, start + 4000);
  const auto imported = import(in_the_middle, with(retention(day)));
  check_findings(imported,
                 {fmt::format("stuck-copy S02 retention {} wait 1000", start + 2000 + day), conflict.front()});
  BOOST_TEST(imported.details[1].find(fmt::format("its id is {} in 4 records and {} in 1", topic_id, other)) !=
             std::string::npos);
  // The scenario goes on with the id that most records have.
  BOOST_TEST(imported.result.scenario.copies == 2U);
  // The last record, of a copy that the true topic began; and the first, of one that it finished.
  auto at_the_end = Dump{}.finished(1, 0, 9, start).copy(2, 10, 19, start + 2000);
  at_the_end.to(2, "COPY_SEGMENT_FINISHED", start + 3000, "t", other);
  check_findings(import(at_the_end, with(retention(day))), conflict);
  auto at_the_front = Dump{}.copy(1, 0, 9, start, "t", other).to(1, "COPY_SEGMENT_FINISHED", start + 1000);
  at_the_front.finished(2, 10, 19, start + 2000);
  check_findings(import(at_the_front, with(retention(day))), conflict);
}

// What a clean-up of 3.9 leaves may hold nothing: only finished copies bound the bytes from below.
BOOST_AUTO_TEST_CASE(bounds_from_below_only_what_was_finished) {
  auto dump = Dump{}.finished(1, 0, 9, start).finished(2, 0, 19, start + 1000).copy(3, 20, 29, start + 2000);
  dump.finished(4, 30, 39, start + 3000).to(4, "DELETE_SEGMENT_STARTED", start + 5000);
  const auto some = import(dump, with(retention(day)));
  BOOST_TEST(some.result.waste.bytes == 3000);
  BOOST_TEST(some.result.waste.finished_bytes == 1000);
  const auto text = import_summary(some.result);
  BOOST_TEST(text.find("nobody will read: up to 2.9 KiB in 3 copies") != std::string::npos, text);
  BOOST_TEST(text.find("  of it at least 1000 B in 1 finished copy\n") != std::string::npos, text);
  const auto none = import_summary(import(Dump{}.copy(1, 0, 9, start), with(retention(day))).result);
  BOOST_TEST(none.find("up to 1000 B in 1 copy") != std::string::npos, none);
  BOOST_TEST(none.find("at least") == std::string::npos, none);
}

BOOST_AUTO_TEST_CASE(gives_shares_that_add_up) {
  auto dump = Dump{}.copy(1, 0, 9, start).copy(2, 10, 19, start + 1000).copy(3, 20, 29, start + 2000);
  auto result = import(dump, with(retention(day))).result;
  result.waste.due_bytes = result.waste.overdue_bytes = result.waste.never_bytes = result.waste.unknown_bytes = 1000;
  result.waste.first_due_ms = result.waste.last_due_ms = std::nullopt;
  const auto text = import_summary(result);
  BOOST_TEST(text.find("already: 33%") != std::string::npos, text);
  BOOST_TEST(text.find("never: 33%") != std::string::npos, text);
  BOOST_TEST(text.find("nobody can say: 34%") != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(refuses_a_time_before_the_last_record_and_doubts_one_long_after) {
  const auto dump = Dump{}.finished(1, 0, 9, start);
  BOOST_TEST(refused(dump, {.now_ms = start - hour}).find("is before the dump's last record") != std::string::npos);
  const auto skewed = import(dump, {.now_ms = start - 30'000});
  BOOST_TEST(import_summary(skewed.result).find("older than --now") == std::string::npos);
  const auto old = import(dump, {.now_ms = start + 2 * day});
  BOOST_TEST(import_summary(old.result).find("older than --now") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(refuses_what_holds_no_record) {
  BOOST_TEST(refused(Dump{}).find("it is empty") != std::string::npos);
  BOOST_TEST(refused(Dump{}.line("\xff\xfeR\n")).find("UTF-16") != std::string::npos);
  const auto text = refused(Dump{}.finished(1, 0, 9, start).copy(2, 0, 9, start, "orders"), {.topics = {"order"}});
  BOOST_TEST(text == "no record of --topic 'order' (did you mean 'orders'?)");
}

BOOST_AUTO_TEST_CASE(names_configuration_that_is_of_other_topics) {
  const auto dump = Dump{}.finished(1, 0, 9, start);
  const auto says = [&](std::string topic) {
    const auto imported = import(dump, with({.topics = {{std::move(topic), {.milliseconds = day}}}}));
    return import_summary(imported.result).find("--topic-config names none") != std::string::npos;
  };
  BOOST_TEST(says("u"));
  BOOST_TEST(!says("t"));
}

BOOST_AUTO_TEST_CASE(tells_what_is_wrong_with_the_records) {
  auto dump = Dump{}.skip(5).finished(1, 0, 9, start).to(1, "DELETE_SEGMENT_FINISHED", start + 2000).skip(2);
  dump.to(2, "COPY_SEGMENT_FINISHED", start + 3000);
  const auto imported = import(dump, with(retention(day)));
  check_findings(imported, {"illegal-transition S01  - look ", "update-without-base S02  - look ",
                            "begins-in-mid-life   - look ", "records-missing   - look "});
  BOOST_TEST(imported.details[3] == "metadata partition 29 lacks 2 records in 1 gap, the first at offset 8");
}

BOOST_AUTO_TEST_CASE(advises_deletion_with_its_proof_only) {
  const auto living = Dump{}.finished(1, 0, 9, start).finished(2, 10, 19, start);
  auto with_finished = living;
  with_finished.copy(3, 20, 29, start)
      .to(3, "DELETE_SEGMENT_STARTED", start + 1)
      .to(3, "DELETE_SEGMENT_FINISHED", start + 2);
  const auto object = [](std::string_view date, int number, std::string_view suffix, std::int64_t bytes) {
    return fmt::format("{} 00:00:00 {:>10} tiered/t-{}/0/00000000000000000000-{}.{}\n", date, bytes, topic_id,
                       id_of(number), suffix);
  };
  const reports_test::ScratchFolder place;
  const auto path = place.path() + "/listing.txt";
  const auto listed = [&](const Dump& dump, std::string_view youngest) {
    const auto text = object("2025-01-01", 1, "log", 1000) + object("2025-01-01", 1, "indexes", 10) +
                      object(youngest, 2, "log", 900) + object("2024-12-20", 3, "log", 1000) +
                      object("2024-12-20", 3, "indexes", 7) + object("2024-12-20", 4, "log", 500) +
                      object(youngest, 5, "log", 500);
    BOOST_REQUIRE(write_file(path, text).has_value());
    auto options = with(retention(365 * day));
    options.listing = path;
    return import(dump, options);
  };
  const std::string differs = "size-differs   - look 900";
  // The listing's youngest object is two days younger than the last record, and the dump is whole.
  const auto proven = listed(with_finished, "2025-01-03");
  check_findings(proven, {differs, "orphan-objects S03 none - delete-objects 1007",
                          "orphan-objects S04 none - delete-objects 500"});
  BOOST_TEST(proven.result.listing->young_objects == 1U);
  BOOST_TEST(proven.details[1].find("the metadata says that it is deleted") != std::string::npos);
  BOOST_TEST(proven.details[1].find("tiered/t-") != std::string::npos);
  // A listing as old as the dump proves nothing.
  check_findings(listed(with_finished, "2025-01-01"),
                 {differs, "orphan-objects S03 none - look 1007", "orphan-objects S04 none - look 500"});
  // Neither does the absence of an id from a dump with a gap; that its deletion finished still does.
  auto with_gap = living;
  with_gap.skip(1).copy(3, 20, 29, start).to(3, "DELETE_SEGMENT_STARTED", start + 1);
  with_gap.to(3, "DELETE_SEGMENT_FINISHED", start + 2);
  check_findings(listed(with_gap, "2025-01-03"),
                 {differs, "records-missing   - look ", "orphan-objects S03 none - delete-objects 1007",
                  "orphan-objects S04 none - look 500"});
}

BOOST_AUTO_TEST_CASE(finds_a_finished_copy_without_an_object_in_every_form_of_listing) {
  const auto dump = Dump{}.finished(1, 0, 9, start).finished(2, 10, 19, start);
  const reports_test::ScratchFolder place;
  const auto path = place.path() + "/listing";
  const auto options = [&](const std::string& text) {
    BOOST_REQUIRE(write_file(path, text).has_value());
    auto with_listing = with(retention(365 * day));
    with_listing.listing = path;
    with_listing.listing_ms = start + 9 * day;
    return with_listing;
  };
  const auto key = [](int number) {
    return fmt::format("t-0-{}/00000000000000000000-{}.log", topic_id, id_of(number));
  };
  const std::string missing = "object-missing S01  - look 0";
  const auto json = [](const std::string& entries) { return "{\"Contents\": [" + entries + "]}"; };
  const auto entry = [&](int number) {
    return "{\"Key\": \"" + key(number) + "\", \"LastModified\": \"2025-01-05T00:00:00+00:00\", \"Size\": 1000}";
  };
  const auto ls = [&](int number) { return "2025-01-05 10:00:00 1000 " + key(number) + "\n"; };
  const std::string header = "Key,Size,LastModified\n";
  const auto row = [&](int number) { return key(number) + ",1000,2025-01-05T00:00:00.000Z\n"; };
  check_findings(import(dump, options(ls(2) + "Total Objects: 1\n")), {missing});
  check_findings(import(dump, options(ls(1) + ls(2))), {});
  check_findings(import(dump, options(json(entry(2)))), {missing});
  check_findings(import(dump, options(json(entry(1) + ", " + entry(2)))), {});
  check_findings(import(dump, options(header + row(1) + row(2))), {});
  check_findings(import(dump, options("Size,Key\n1000," + key(1) + "\n1000," + key(2) + "\n")), {});

  // What is no listing of this bucket proves nothing.
  const auto refusal = [&](const std::string& text, std::string_view says) {
    BOOST_TEST(refused(dump, options(text)).find(says) != std::string::npos, refused(dump, options(text)));
  };
  refusal("", "listing: the listing is empty");
  refusal(json(""), "no object could be read; it begins with '{");
  refusal("An error occurred (AccessDenied)\n", "it begins with 'An error occurred (AccessDenied)'");
  refusal("Name,Bytes\n" + row(1), "it begins with 'Name,Bytes'");
  refusal("key,bytes,time\n" + row(1), "it begins with 'key,bytes,time'");
  refusal("2025-01-05 10:00:00 77 other/file.txt\n", "no object of the dump's copies is in it");
}

BOOST_AUTO_TEST_CASE(says_which_kafka_versions_there_are) {
  BOOST_TEST((parse_kafka_version("3.8.0").has_value() && *parse_kafka_version("3.8.0") == KafkaVersion::v3_6));
  BOOST_TEST((*parse_kafka_version("3.8.1") == KafkaVersion::v3_9));
  BOOST_TEST((*parse_kafka_version("4.2") == KafkaVersion::v4_0));
  BOOST_TEST((*parse_kafka_version("4.4") == KafkaVersion::v4_3));
  for (const auto* text : {"", "4", "3.5", "5.0", "4.x", "4.0.", "kafka-4.0"})
    BOOST_TEST(!parse_kafka_version(text).has_value());
}

BOOST_AUTO_TEST_CASE(folds_curves_from_transitions_alone) {
  const reports_test::ScratchFolder place;
  const auto dump_path = place.path() + "/d.txt";
  auto dump = Dump{}.copy(1, 0, 9, start).to(1, "COPY_SEGMENT_FINISHED", start + 2 * hour);
  dump.copy(2, 10, 19, start + 10'000)
      .to(2, "DANGLING", start + 20'000)
      .to(2, "DELETE_SEGMENT_STARTED", start + 25'000);
  dump.to(2, "DELETE_SEGMENT_FINISHED", start + 30'000).copy(3, 20, 29, start + 30'000);
  BOOST_REQUIRE(write_file(dump_path, dump.text()).has_value());
  const ImportOptions options{.dumps = {dump_path}, .folder = place.path() + "/out"};
  BOOST_REQUIRE(import_dumps(options).has_value());
  // Whoever folds the rows again gets the file.
  const auto again = place.path() + "/again.csv";
  BOOST_REQUIRE(fold_curves(options.folder + "/transitions.csv", again).has_value());
  BOOST_TEST(*read_file(again) == *read_file(options.folder + "/curves.csv"));

  std::vector<std::string> rows;
  BOOST_REQUIRE(fold_curves(options.folder + "/transitions.csv", again, 10'000).has_value());
  BOOST_REQUIRE(read_csv(again, [&](const CsvRow& row) {
                  if (row["topic"] != "*") return;
                  const auto text =
                      fmt::format("{} {} {} {} {} {} {}{}{}", row.integer("time_ms") - start, row["stored_bytes"],
                                  row["in_flight_bytes"], row["dangling_bytes"], row["stuck_bytes"],
                                  row["garbage_bytes"], row["live_bytes"], row["waste_bytes"], row["orphan_bytes"]);
                  if (rows.size() < 4 || row.integer("time_ms") >= start + hour) rows.push_back(text);
                }).has_value());
  BOOST_REQUIRE(rows.size() > 10U);
  BOOST_TEST(rows[0] == "0 1000 1000 0 0 0 ");
  BOOST_TEST(rows[1] == "10000 2000 2000 0 0 0 ");
  BOOST_TEST(rows[2] == "20000 2000 1000 1000 0 1000 ");
  BOOST_TEST(rows[3] == "30000 2000 2000 0 0 0 ");
  BOOST_TEST(rows[4] == "3600000 2000 1000 0 1000 1000 ");  // An hour in the state: stuck from then on.
  BOOST_TEST(rows.back() == "7200000 2000 0 0 1000 1000 ");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace reports::import_test
