// Which registrations finalize a level and which it refuses, as Kafka's controller does (readings 7, its remedies).
#include "sim/world/feature_level.h"

#include <boost/test/unit_test.hpp>

#include "model/policies/policies.h"
#include "tests/support/model_support.h"

namespace tests {
namespace {

using model::BrokerId;

const auto kafka = model::make_kafka_4_0({});
const auto ungated = model::make_kip_dangling({});
const auto gated =
    model::make_kip_dangling({.kip_dangling = {.feature_gate = model::KipDanglingOptions::FeatureGate::finalized}});

BOOST_AUTO_TEST_SUITE(feature_level)

BOOST_AUTO_TEST_CASE(it_is_finalized_once_when_the_last_registered_broker_knows_it) {
  sim::FeatureLevel level{2};
  BOOST_TEST(!level.registered(BrokerId{1}, *gated));
  BOOST_TEST(!level.registered(BrokerId{2}, *kafka));
  BOOST_TEST(!level.registered(BrokerId{1}, *gated));
  BOOST_TEST(!level.has_dangling());
  BOOST_TEST(level.registered(BrokerId{2}, *gated));
  BOOST_TEST(level.has_dangling());
  BOOST_TEST(!level.registered(BrokerId{2}, *gated));
}

BOOST_AUTO_TEST_CASE(it_refuses_older_brokers_from_then_on_and_never_before) {
  sim::FeatureLevel level{1};
  BOOST_TEST(level.admits(*kafka));
  level.registered(BrokerId{1}, *gated);
  BOOST_TEST(!level.admits(*kafka));
  BOOST_TEST(level.admits(*gated));
  BOOST_TEST(level.admits(*ungated));
  level.registered(BrokerId{1}, *ungated);
  BOOST_TEST(level.has_dangling());
}

BOOST_AUTO_TEST_CASE(without_a_gate_there_is_no_level) {
  sim::FeatureLevel level{2};
  level.registered(BrokerId{1}, *ungated);
  BOOST_TEST(!level.registered(BrokerId{2}, *ungated));
  BOOST_TEST(!level.has_dangling());
  BOOST_TEST(level.admits(*kafka));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tests
