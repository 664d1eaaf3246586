// The entry of every test program; cases live beside what they test and register themselves with Boost.Test.
#define BOOST_TEST_MODULE flotsam
#include <boost/test/unit_test.hpp>
