#include "explore/coverage.h"

#include <gtest/gtest.h>

#include "base/hash.h"

namespace heddle::explore {
namespace {

using trace::EndKind;

trace::Execution Ended(uint64_t graph, uint32_t preemptions, EndKind kind = EndKind::kExit) {
  trace::Execution execution;
  execution.happens_before = graph;
  execution.preemptions = preemptions;
  execution.ending.kind = kind;
  return execution;
}

TEST(Coverage, CountsEachGraphAtItsLeastPreemptions) {
  Coverage::State state;
  Coverage coverage(&state);
  EXPECT_TRUE(coverage.ByPreemptions().empty());
  for (const auto& execution :
       {Ended(11, 3), Ended(12, 0), Ended(11, 1), Ended(11, 2), Ended(0, 0)}) {
    EXPECT_EQ(coverage.OnExecution({}, execution), Observer::Then::kContinue);
  }
  EXPECT_EQ(coverage.Count(), 3u);
  EXPECT_EQ(coverage.ByPreemptions(), (std::vector<uint64_t>{2, 3}));
}

TEST(Coverage, OnlyWholeExecutions) {
  Coverage::State state;
  Coverage coverage(&state);
  uint64_t graph = 100;
  for (EndKind kind : {EndKind::kRedundant, EndKind::kDiverged, EndKind::kDied, EndKind::kHang}) {
    coverage.OnExecution({}, Ended(++graph, 0, kind));
  }
  EXPECT_EQ(coverage.Count(), 0u);
  for (EndKind kind : {EndKind::kExit, EndKind::kDeadlock, EndKind::kAssertion, EndKind::kCrash}) {
    coverage.OnExecution({}, Ended(++graph, 0, kind));
  }
  EXPECT_EQ(coverage.Count(), 4u);
}

TEST(Coverage, GrowsAndSurvivesItsObserver) {
  constexpr uint64_t kGraphs = 100000;
  Coverage::State state;
  for (uint64_t round = 0; round < 2; ++round) {
    for (uint64_t i = 0; i < kGraphs; ++i) {
      Coverage(&state).OnExecution({}, Ended(base::Mix(i), static_cast<uint32_t>(i % 3)));
    }
  }
  EXPECT_EQ(Coverage(&state).Count(), kGraphs);
  EXPECT_EQ(Coverage(&state).ByPreemptions(), (std::vector<uint64_t>{33334, 66667, 100000}));
  EXPECT_FALSE(Coverage(&state).Overflowed());
}

TEST(Coverage, SaysWhenTheTableIsFull) {
  Coverage::State state;
  Coverage coverage(&state, 4096);
  for (uint64_t i = 0; i < 10000; ++i) coverage.OnExecution({}, Ended(base::Mix(i), 1));
  EXPECT_TRUE(coverage.Overflowed());
  EXPECT_EQ(coverage.Count(), 3072u);                // three quarters
  coverage.OnExecution({}, Ended(base::Mix(5), 0));  // one that is known is still updated
  EXPECT_EQ(coverage.ByPreemptions(), (std::vector<uint64_t>{1, 3072}));
}

TEST(Coverage, ManyPreemptionsCountAsTheMost) {
  Coverage::State state;
  Coverage coverage(&state);
  coverage.OnExecution({}, Ended(1, 1000));
  EXPECT_EQ(coverage.ByPreemptions().size(), Coverage::kMaxPreemptions + 1u);
  EXPECT_EQ(coverage.ByPreemptions().back(), 1u);
}

}  // namespace
}  // namespace heddle::explore
