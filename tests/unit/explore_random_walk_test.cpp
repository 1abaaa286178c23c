#include "explore/random_walk.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "target/fake_target.h"

namespace heddle::explore {
namespace {

using target::Choose;
using target::FakeTarget;
using target::FetchAdd;

FakeTarget Small() {
  return FakeTarget({.threads = {{FetchAdd(0, 1)}, {FetchAdd(0, 1)}, {Choose(4, 0)}},
                     .variables = {0},
                     .semaphores = {}});
}

std::vector<uint64_t> Walk(uint64_t seed, int executions) {
  FakeTarget target = Small();
  Options options;
  options.seed = seed;
  RandomWalk::State state;
  std::vector<uint64_t> steps;
  for (int i = 0; i < executions; ++i) {
    RandomWalk explorer(&state, options);
    const trace::Execution& execution = target.Run(*explorer.NextPlan());
    steps.push_back(execution.steps_hash);
    explorer.Learn(execution);
  }
  return steps;
}

TEST(RandomWalk, TheSeedSaysEverything) {
  EXPECT_EQ(Walk(1, 100), Walk(1, 100));
  EXPECT_NE(Walk(1, 100), Walk(2, 100));
}

// 3! orders times 4 values. With 2,400 executions each of the 24 is expected 100 times, standard
// deviation 10.
TEST(RandomWalk, EverySchedule) {
  std::map<uint64_t, int> seen;
  for (uint64_t steps : Walk(3, 2400)) ++seen[steps];
  EXPECT_EQ(seen.size(), 24u);
  for (const auto& [steps, times] : seen) {
    EXPECT_GT(times, 50);
    EXPECT_LT(times, 150);
  }
}

// A program without threads and choices has one schedule.
TEST(RandomWalk, EndsWhereThereIsNothingToDraw) {
  for (const bool chooses : {false, true}) {
    FakeTarget target({.threads = {{FetchAdd(0, 1), chooses ? Choose(2, 0) : FetchAdd(0, 1)}},
                       .variables = {0},
                       .semaphores = {}});
    RandomWalk::State state;
    RandomWalk explorer(&state, {});
    for (int i = 0; i < 3; ++i)
      if (const auto plan = explorer.NextPlan()) explorer.Learn(target.Run(*plan));
    EXPECT_EQ(state.executions, chooses ? 3u : 1u);
    EXPECT_EQ(explorer.Complete(), !chooses);
  }
}

}  // namespace
}  // namespace heddle::explore
