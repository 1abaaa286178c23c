#include "explore/enumerate/depth_first.h"

#include <gtest/gtest.h>

#include "target/fake_target.h"

namespace heddle::explore {
namespace {

using target::FakeTarget;
using target::FetchAdd;

constexpr uint64_t kAll = 20;  // C(6, 3)
// Two without preemption, and four with one: two places in either thread.
constexpr uint64_t kAtMost1 = 6;

FakeTarget TwoThreadsOfThree() {
  return FakeTarget({.threads = {{FetchAdd(0, 1), FetchAdd(0, 1), FetchAdd(0, 1)},
                                 {FetchAdd(0, 1), FetchAdd(0, 1), FetchAdd(0, 1)}},
                     .variables = {0},
                     .semaphores = {}});
}

TEST(DepthFirst, ExploresEverything) {
  FakeTarget target = TwoThreadsOfThree();
  DepthFirst::State state;
  uint64_t executions = 0;
  // A new explorer over the old State for every half turn, as when each execution killed its
  // process.
  for (;; ++executions) {
    const auto plan = DepthFirst(&state, {}).NextPlan();
    if (!plan) break;
    EXPECT_FALSE(DepthFirst(&state, {}).Complete());
    DepthFirst(&state, {}).Learn(target.Run(*plan));
  }
  EXPECT_EQ(executions, kAll);
  EXPECT_TRUE(DepthFirst(&state, {}).Complete());
}

TEST(DepthFirst, Bound) {
  FakeTarget target = TwoThreadsOfThree();
  DepthFirst::State state;
  Options options;
  options.bound.most = 1;
  DepthFirst explorer(&state, options);
  EXPECT_EQ(explorer.CompletedBound(), -1);
  uint64_t executions = 0;
  for (; const auto plan = explorer.NextPlan(); ++executions) explorer.Learn(target.Run(*plan));
  EXPECT_EQ(executions, kAtMost1);
  EXPECT_EQ(explorer.CurrentBound(), 1);
  EXPECT_EQ(explorer.CompletedBound(), 1);
  EXPECT_FALSE(explorer.Complete());
}

// Two threads of two steps, ab and cd. A choice has both threads; where one has ended there is
// none. abcd leaves the default nowhere, cdab at the first choice, acdb and cabd at the second,
// acbd and cadb at the third, too.
TEST(DepthFirst, BoundOfDepth) {
  FakeTarget target(
      {.threads = {{FetchAdd(0, 1), FetchAdd(0, 1)}, {FetchAdd(0, 1), FetchAdd(0, 1)}},
       .variables = {0},
       .semaphores = {}});
  constexpr uint64_t kWithin[] = {1, 2, 4, 6, 6};
  for (uint32_t depth = 0; depth < std::size(kWithin); ++depth) {
    DepthFirst::State state;
    Options options;
    options.bound = {space::Unit::kDepth, depth};
    DepthFirst explorer(&state, options);
    uint64_t executions = 0;
    for (; const auto plan = explorer.NextPlan(); ++executions) explorer.Learn(target.Run(*plan));
    EXPECT_EQ(executions, kWithin[depth]) << depth;
    EXPECT_EQ(explorer.CompletedBound(), depth);
    EXPECT_EQ(explorer.Complete(), depth >= 3) << depth;
  }
}

// An execution that ends before it reaches its deviation, as an uncontrolled program may, adds
// nothing and stops nothing.
TEST(DepthFirst, GoesOnAfterADivergence) {
  FakeTarget target = TwoThreadsOfThree();
  DepthFirst::State state;
  DepthFirst explorer(&state, {});
  uint64_t executions = 0;
  for (; const auto plan = explorer.NextPlan(); ++executions) {
    trace::Execution execution = target.Run(*plan);
    if (executions == 1) {
      execution.ending.kind = trace::EndKind::kDiverged;
      execution.choices = {};
    }
    explorer.Learn(execution);
  }
  EXPECT_GT(executions, kAll / 2);
  EXPECT_LE(executions, kAll);
}

}  // namespace
}  // namespace heddle::explore
