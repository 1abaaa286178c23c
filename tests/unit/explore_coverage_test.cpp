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

TEST(Coverage, SumsUpEachGraphOnce) {
  Coverage::State state;
  Coverage coverage(&state);
  constexpr uint64_t kLarge = 0xffff'ffff'ffff'fff0;
  for (const auto& execution : {Ended(kLarge, 3), Ended(7, 1), Ended(kLarge, 1), Ended(0x20, 0)}) {
    coverage.OnExecution({}, execution);
  }
  EXPECT_EQ(coverage.Sum(), 0x17u);  // kLarge + 7 + 0x20, modulo 2^64
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

using Points = std::vector<Coverage::Point>;

TEST(Coverage, APointForEachOfTheFirstExecutions) {
  Coverage::State state;
  Coverage coverage(&state);
  EXPECT_EQ(coverage.OverExecutions(), Points());
  Points expected;
  for (uint64_t i = 1; i <= 40; ++i) {
    coverage.OnExecution({}, Ended(i, 0));
    coverage.Executed(i);
    if (i <= 32 || i % 2 == 0) expected.push_back({i, i});
  }
  EXPECT_EQ(coverage.OverExecutions(), expected);
  coverage.OnExecution({}, Ended(41, 0));
  coverage.Executed(41);  // not sampled, but the last
  expected.push_back({41, 41});
  EXPECT_EQ(coverage.OverExecutions(), expected);
}

TEST(Coverage, PointsBetweenEqualOnesAreLeftOut) {
  Coverage::State state;
  Coverage coverage(&state);
  for (uint64_t i = 1; i <= 100; ++i) {
    // Two graphs, then none that is new, and a third one at the 50th execution.
    coverage.OnExecution({}, Ended(i < 50 ? 5 + i % 2 : 7, 0));
    coverage.Executed(i);
  }
  EXPECT_EQ(coverage.OverExecutions(), (Points{{1, 1}, {2, 2}, {48, 2}, {50, 3}, {100, 3}}));
}

TEST(Coverage, AnExecutionThatWasRunAgainIsNone) {
  Coverage::State state;
  Coverage coverage(&state);
  const uint64_t executions[] = {1, 1, 1, 2};
  for (const uint64_t so_far : executions) {
    coverage.OnExecution({}, Ended(so_far, 0));
    coverage.Executed(so_far);
    coverage.Executed(so_far);  // asked again when the search stops
  }
  EXPECT_EQ(coverage.OverExecutions(), (Points{{1, 1}, {2, 2}}));
}

TEST(Coverage, TheCurveSurvivesItsObserver) {
  Coverage::State state;
  for (uint64_t i = 1; i <= 3; ++i) {
    Coverage(&state).OnExecution({}, Ended(i, 0));
    Coverage(&state).Executed(i);
  }
  EXPECT_EQ(Coverage(&state).OverExecutions(), (Points{{1, 1}, {2, 2}, {3, 3}}));
}

TEST(Coverage, TheCurveHasFewPoints) {
  Coverage::State state;
  Coverage coverage(&state);
  constexpr uint64_t kExecutions = 1'000'000;
  for (uint64_t i = 1; i <= kExecutions; ++i) {
    state.count = i;  // as if each had a graph of its own
    coverage.Executed(i);
  }
  const Points curve = coverage.OverExecutions();
  EXPECT_EQ(curve.size(), 31u + 16 * 14 + 15 + 1);  // to 2^19, from there, and the last
  EXPECT_EQ(curve.back(), (Coverage::Point{kExecutions, kExecutions}));
  // Of all that 64 bits can count there are so many; the last one may come on top.
  for (unsigned bit = 20; bit < 64; ++bit)
    for (uint64_t digits = 16; digits < 32; ++digits) coverage.Executed(digits << (bit - 4));
  coverage.Executed(~uint64_t{0});
  EXPECT_LE(state.sampled.size() + 1, Coverage::kMaxPoints);
  EXPECT_GT(state.sampled.size() + 20, Coverage::kMaxPoints);
}

}  // namespace
}  // namespace heddle::explore
