#include "explore/choice_stack.h"

#include <gtest/gtest.h>

#include <vector>

#include "explore/depth_first.h"
#include "target/fake_target.h"

namespace heddle::explore {
namespace {

using target::Choose;
using target::FakeTarget;
using target::FetchAdd;

// Every execution's choices taken, in the order in which depth-first search ran them.
std::vector<std::vector<uint32_t>> Schedules(FakeTarget& target) {
  DepthFirst::State state;
  DepthFirst explorer(&state, {});
  std::vector<std::vector<uint32_t>> schedules;
  while (const auto plan = explorer.NextPlan()) {
    const trace::Execution& execution = target.Run(*plan);
    auto& schedule = schedules.emplace_back();
    for (const trace::Choice& choice : execution.choices) schedule.push_back(choice.chosen);
    explorer.Learn(execution);
  }
  return schedules;
}

TEST(ChoiceStack, DefaultFirstThenAscendingDeepestFirst) {
  FakeTarget values({.threads = {{Choose(3, 0), Choose(2, 1)}}, .variables = {}, .semaphores = {}});
  EXPECT_EQ(Schedules(values),
            (std::vector<std::vector<uint32_t>>{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}}));
  FakeTarget threads({.threads = {{FetchAdd(0, 1)}, {FetchAdd(0, 1)}, {FetchAdd(0, 1)}},
                      .variables = {0},
                      .semaphores = {}});
  // After thread 1 the default is the next above it, cyclically.
  EXPECT_EQ(Schedules(threads),
            (std::vector<std::vector<uint32_t>>{{0, 1}, {0, 2}, {1, 2}, {1, 0}, {2, 0}, {2, 1}}));
}

TEST(ChoiceStack, MoreThreadsThanAWordHasBits) {
  constexpr uint32_t kThreads = 150;
  target::FakeProgram program{.threads = {}, .variables = {0}, .semaphores = {}};
  program.threads.resize(kThreads, {FetchAdd(0, 1)});
  FakeTarget target(program);
  const trace::Execution& execution = target.Run({});
  ASSERT_EQ(execution.choices.size(), kThreads - 1);
  ChoiceStack stack;
  stack.Start({});
  EXPECT_TRUE(stack.Extend(execution, kUnbounded));
  // Two threads are left at the deepest choice point, three at the one above, and so on.
  ASSERT_TRUE(stack.Advance());
  EXPECT_EQ(stack.Deviations().back().choice, kThreads - 2);
  EXPECT_EQ(stack.Deviations().back().option, kThreads - 1);
  uint64_t advanced = 1;
  while (stack.Advance()) {
    ++advanced;
    EXPECT_EQ(stack.FirstNew(), stack.Deviations().back().choice + 1);
  }
  EXPECT_EQ(advanced, uint64_t{kThreads} * (kThreads - 1) / 2);
}

TEST(ChoiceStack, BoundLeavesOutWhatCosts) {
  FakeTarget target({.threads = {{FetchAdd(0, 1), FetchAdd(0, 1)}, {FetchAdd(0, 1)}},
                     .variables = {0},
                     .semaphores = {}});
  const trace::Execution& execution = target.Run({});
  ASSERT_EQ(execution.choices.size(), 2u);
  ChoiceStack stack;
  EXPECT_FALSE(stack.Extend(execution, 0));
  ASSERT_TRUE(stack.Advance());
  EXPECT_EQ(stack.Deviations().front().choice, 0u);  // who begins is free
  EXPECT_FALSE(stack.Advance());
  stack.Start({});
  EXPECT_TRUE(stack.Extend(execution, 1));
  ASSERT_TRUE(stack.Advance());
  EXPECT_EQ(stack.Deviations().front().choice, 1u);
}

}  // namespace
}  // namespace heddle::explore
