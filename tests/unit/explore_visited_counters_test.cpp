// The table of combined execution counters (explore/visited/visited_counters.h).
#include "explore/visited/visited_counters.h"

#include <gtest/gtest.h>

namespace heddle::explore {
namespace {

using plan::StateVisit;

StateVisit At(uint64_t counters, uint64_t shared, uint64_t rest = 0, uint32_t step = 1) {
  return {.key = {{counters, ~counters}},
          .step = step,
          .shared = {{shared, shared + 1}},
          .state = {{shared, rest}},
          .pc = 0x1000};
}

class VisitedCountersTest : public testing::Test {
 protected:
  // An execution begins.
  void Begin() {
    ASSERT_TRUE(VisitedCounters::Prepare(state_, Options()));
    visiting_ = VisitedCounters::Of(state_);
    visiting_.by->Begin(visiting_.search);
  }
  plan::VisitResult Visit(const StateVisit& visit) {
    return visiting_.by->Visit(visiting_.search, visit);
  }

  VisitedCounters::State state_;
  plan::Visiting visiting_;
};

TEST_F(VisitedCountersTest, WhatAnExecutionHasVisitedEndsTheNextOne) {
  Begin();
  EXPECT_FALSE(Visit(At(1, 7)).known);
  EXPECT_FALSE(Visit(At(1, 7)).known) << "its own";
  EXPECT_TRUE(VisitedCounters::Commit(state_, 3));
  Begin();
  const plan::VisitResult met = Visit(At(1, 7));
  EXPECT_TRUE(met.known);
  EXPECT_FALSE(met.differs);
  EXPECT_FALSE(VisitedCounters::Commit(state_, 4)) << "nothing new";
}

TEST_F(VisitedCountersTest, SomethingElseSharedIsARaceCondition) {
  Begin();
  Visit(At(1, 7, 0, 5));
  VisitedCounters::Commit(state_, 3);
  Begin();
  Visit(At(2, 7));
  EXPECT_TRUE(Visit(At(1, 8)).differs);
  ASSERT_NE(state_.differs, KeyTable::kNone);
  EXPECT_EQ(state_.counters[state_.differs].step, 5u);
  EXPECT_EQ(state_.met_by[state_.differs], 3u);
  // The same schedule once more: it goes past it, and has visited what is new.
  VisitedCounters::Tell(state_, 0x1000);
  Begin();
  EXPECT_FALSE(Visit(At(2, 7)).known);
  EXPECT_FALSE(Visit(At(1, 8)).differs);
  VisitedCounters::Commit(state_, 4);
  Begin();
  EXPECT_TRUE(Visit(At(1, 8)).known);
  Begin();
  EXPECT_TRUE(Visit(At(1, 7)).known);
}

// A difference that is not shared keeps two states apart, and is no race condition.
TEST_F(VisitedCountersTest, WhatIsNotSharedCounts) {
  Begin();
  Visit(At(1, 7, 0));
  VisitedCounters::Commit(state_, 3);
  Begin();
  const plan::VisitResult met = Visit(At(1, 7, 9));
  EXPECT_FALSE(met.known);
  EXPECT_FALSE(met.differs);
}

// A process that died takes what its execution has visited with it.
TEST_F(VisitedCountersTest, AnExecutionThatIsRunAgainHasVisitedNothing) {
  Begin();
  Visit(At(1, 7));
  Begin();
  EXPECT_FALSE(Visit(At(1, 8)).differs);
  EXPECT_EQ(state_.counters.Size(), 1u);
  EXPECT_EQ(state_.shared.size(), 1u);
}

TEST_F(VisitedCountersTest, ThereIsALimitToMemory) {
  Options options;
  options.memory_limit = 1000;
  EXPECT_FALSE(VisitedCounters::Prepare(state_, options));
  EXPECT_TRUE(state_.full);
}

// --verify-determinism runs the same schedule again: what it only passes by is taken up, too.
TEST_F(VisitedCountersTest, WhatIsPassedByIsTakenUp) {
  Begin();
  Visit(At(1, 7));
  Begin();
  visiting_.by->Pass(visiting_.search, At(1, 7));
  VisitedCounters::Commit(state_, 3);
  Begin();
  EXPECT_TRUE(Visit(At(1, 7)).known);
}

}  // namespace
}  // namespace heddle::explore
