#include "report/asserted.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

TEST(Asserted, AVariableIsNamedByItsOwnName) {
  EXPECT_TRUE(NamesVariable("received == accepted", "accepted"));
  EXPECT_TRUE(NamesVariable("q->size() + n == 0", "Queue#1.n"));
  EXPECT_TRUE(NamesVariable("hits[i] == 2", "hits[1]"));
  EXPECT_TRUE(NamesVariable("hits == 2", "ns::hits+8"));
  EXPECT_FALSE(NamesVariable("received == accepted", "accept"));
  EXPECT_FALSE(NamesVariable("unreceived == 1", "received"));
  EXPECT_FALSE(NamesVariable("x == 1", "Node#1"));
  EXPECT_FALSE(NamesVariable("x == 1", ""));
}

}  // namespace
}  // namespace heddle::report
