// run --dump-metadata: the exact text of Kafka's tools (RemoteLogMetadataFormatter, kafka-dump-log with
// --remote-log-metadata-decoder), on worlds whose times are worked out by hand.
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "reports/run_folder.h"
#include "sim/faults/faults.h"
#include "tests/reports/sample_run.h"
#include "tests/support/world_support.h"

using namespace reports;
using namespace reports_test;

namespace {

std::string between(const std::string& text, std::string_view before, std::string_view after) {
  const std::size_t begin = text.find(before) + before.size();
  return text.substr(begin, text.find(after, begin) - begin);
}

/// One run of one_broker under a policy, dumped.
struct Dumped {
  Dumped(std::string_view policy, const std::string& plan, std::vector<std::string> sets) {
    sets.insert(sets.begin(), {"topic.t.initial.closed=1", "scenario.start=2025-01-01",
                               "metadata.remote.log.metadata.topic.num.partitions=1"});
    const sim::Scenario scenario = tests::read_world(tests::one_broker, plan, sets);
    RunFolderWriter writer{{.folder = scratch.path("run"), .keep = Keep::summary, .dump_metadata = true}};
    sim::run_world(scenario, tests::policy_choice(policy, scenario), 1, &writer);
    const auto finished = writer.finish();
    BOOST_TEST_REQUIRE(finished.has_value());
    console = text_of(scratch.path("run/metadata.console.txt"));
    log = text_of(scratch.path("run/__remote_log_metadata-0/metadata.dump-log.txt"));
    id = fmt::format("remoteLogSegmentId=RemoteLogSegmentId{{topicIdPartition={}:t-0, id={}}}",
                     between(console, "topicIdPartition=", ":"), between(console, ", id=", "}"));
  }

  ScratchFolder scratch;
  std::string console;
  std::string log;
  /// Of the first copy.
  std::string id;
};

// The world starts at 1735689600000. The copy begins at 0 ms, its four objects have landed at 1475 ms.

}  // namespace

BOOST_AUTO_TEST_SUITE(metadata_dump)

BOOST_AUTO_TEST_CASE(a_copy_is_a_segment_and_an_update) {
  const Dumped dumped{"kafka-3.9", "", {}};
  const std::string started =
      "RemoteLogSegmentMetadata{" + dumped.id +
      ", startOffset=0, endOffset=1023, brokerId=1, maxTimestampMs=1735689600000, eventTimestampMs=1735689600000, "
      "segmentLeaderEpochs={0=0}, segmentSizeInBytes=1048576, customMetadata=Optional.empty, "
      "state=COPY_SEGMENT_STARTED}";
  const std::string finished = "RemoteLogSegmentMetadataUpdate{" + dumped.id +
                               ", customMetadata=Optional.empty, state=COPY_SEGMENT_FINISHED, "
                               "eventTimestampMs=1735689601425, brokerId=1}";
  BOOST_TEST(dumped.console ==
             "partition: 0, offset: 0, value: " + started + "\npartition: 0, offset: 1, value: " + finished + "\n");
  BOOST_TEST(
      dumped.log ==
      "Dumping 00000000000000000000.log\nLog starting offset: 0\n"
      "baseOffset: 0 lastOffset: 0 count: 1 baseSequence: 0 lastSequence: 0 producerId: 1 producerEpoch: 0 "
      "partitionLeaderEpoch: 0 isTransactional: false isControl: false deleteHorizonMs: OptionalLong.empty position: 0 "
      "CreateTime: 1735689600000 size: 271 magic: 2 compresscodec: none crc: 0 isvalid: true\n"
      "| offset: 0 CreateTime: 1735689600000 keySize: -1 valueSize: 200 sequence: 0 headerKeys: [] payload: " +
          started +
          "\nbaseOffset: 1 lastOffset: 1 count: 1 baseSequence: 1 lastSequence: 1 producerId: 1 producerEpoch: 0 "
          "partitionLeaderEpoch: 0 isTransactional: false isControl: false deleteHorizonMs: OptionalLong.empty "
          "position: 271 CreateTime: 1735689601425 size: 271 magic: 2 compresscodec: none crc: 0 isvalid: true\n"
          "| offset: 1 CreateTime: 1735689601425 keySize: -1 valueSize: 200 sequence: 1 headerKeys: [] payload: " +
          finished + "\n");
}

BOOST_AUTO_TEST_CASE(from_4_0_on_a_segment_says_that_it_has_no_aborted_transactions) {
  // KAFKA-16780; the index is empty in a world without transactions.
  for (const std::string_view policy : tests::policy_names()) {
    const Dumped dumped{policy, "", {}};
    const std::string first = dumped.console.substr(0, dumped.console.find('\n'));
    const bool is_old = policy == "kafka-3.6" || policy == "kafka-3.9";
    BOOST_TEST(
        first.ends_with(is_old ? "state=COPY_SEGMENT_STARTED}" : "state=COPY_SEGMENT_STARTED, txnIdxEmpty=true}"),
        policy);
    BOOST_TEST(dumped.console.find("FINISHED, txnIdxEmpty") == std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(custom_metadata_epochs_and_an_append_later_than_its_event_are_told) {
  const Dumped dumped{"kafka-4.0",
                      "0s,1m,oversized-custom-metadata,store,probability=1;size=50\n",
                      {"metadata.latency=7ms", "topic.t.initial.epochs=0=0 3=500", "topic.t.initial.age=1h"}};
  BOOST_TEST(dumped.console.find("segmentLeaderEpochs={0=0, 3=500}, ") != std::string::npos);
  BOOST_TEST(dumped.console.find("maxTimestampMs=1735686000000, ") != std::string::npos);
  BOOST_TEST(dumped.console.find("eventTimestampMs=1735689600000") != std::string::npos);
  BOOST_TEST(dumped.log.find("CreateTime: 1735689600007") != std::string::npos);
  BOOST_TEST(dumped.console.find("customMetadata=Optional[CustomMetadata{50 bytes}]") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_world_that_does_not_say_when_it_starts_starts_in_2020) {
  // Else what is older than the world would lie before 1970, where no record of Kafka's can be.
  const Dumped dumped{"kafka-4.0", "", {"scenario.start=1970-01-01", "topic.t.initial.age=1h"}};
  BOOST_TEST(dumped.console.find("maxTimestampMs=1577833200000, eventTimestampMs=1577836800000") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(dangling_is_told_by_its_name) {
  const Dumped dumped{
      "kip-dangling", "0s,1m,copy-fail,store,probability=1;stored=log\n0s,1m,delete-fail,store,probability=1\n", {}};
  BOOST_TEST(dumped.console.find(", state=DANGLING, ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(without_the_option_there_is_nothing) {
  ScratchFolder scratch;
  const sim::Scenario scenario = tests::read_world(tests::one_broker);
  RunFolderWriter writer{{.folder = scratch.path("run"), .keep = Keep::summary}};
  sim::run_world(scenario, tests::policy_choice("kafka-4.0", scenario), 1, &writer);
  BOOST_TEST_REQUIRE(writer.finish().has_value());
  for (const auto& entry : std::filesystem::directory_iterator{scratch.path("run")})
    BOOST_TEST(entry.path().string().find("metadata") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
