#include "explore/enumerate/choice_stack.h"

#include <gtest/gtest.h>

#include <vector>

#include "explore/enumerate/depth_first.h"
#include "explore/own_options.h"
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

constexpr ExecutionTree::Id kFirst = ExecutionTree::kRoot;

TEST(ChoiceStack, MoreThreadsThanAWordHasBits) {
  constexpr uint32_t kThreads = 150;
  target::FakeProgram program{.threads = {}, .variables = {0}, .semaphores = {}};
  program.threads.resize(kThreads, {FetchAdd(0, 1)});
  FakeTarget target(program);
  const trace::Execution& execution = target.Run({});
  ASSERT_EQ(execution.choices.size(), kThreads - 1);
  ChoiceStack stack;
  const auto extension = stack.Extend(kFirst, execution, kNoDeviation, {});
  EXPECT_TRUE(extension.any);
  EXPECT_TRUE(extension.all);
  // Two threads are left at the deepest choice point, three at the one above, and so on.
  EXPECT_EQ(stack.Take(), (OpenOption{kFirst, kThreads - 2, kThreads - 1}));
  uint64_t taken = 1;
  bool last = false;
  while (const auto open = stack.Take()) {
    ++taken;
    EXPECT_FALSE(last);
    last = open->last;
  }
  EXPECT_TRUE(last);
  EXPECT_EQ(taken, uint64_t{kThreads} * (kThreads - 1) / 2);
}

// What one execution left open lies on top of what the execution left open that it was made from.
TEST(ChoiceStack, TellsTheLastOptionOfAnExecution) {
  FakeTarget values({.threads = {{Choose(2, 0), Choose(2, 1)}}, .variables = {}, .semaphores = {}});
  const trace::Execution& execution = values.Run({});
  constexpr ExecutionTree::Id kSecond = 7;
  ChoiceStack stack;
  stack.Extend(kFirst, execution, kNoDeviation, {});
  EXPECT_EQ(stack.Take(), (OpenOption{kFirst, 1, 1, false}));
  stack.Extend(kSecond, execution, 0, {});
  EXPECT_EQ(stack.Take(), (OpenOption{kSecond, 1, 1, true}));
  EXPECT_EQ(stack.Take(), (OpenOption{kFirst, 0, 1, true}));
  EXPECT_FALSE(stack.Extend(kSecond, execution, 1, {}).any);  // it has two choice points
  EXPECT_EQ(stack.Take(), std::nullopt);
}

// From both ends: nothing is lost, nothing comes twice, and the last of an execution is told.
TEST(ChoiceStack, TheEldestCanBeTakenFromBelow) {
  FakeTarget target({.threads = std::vector<std::vector<target::Instruction>>(4, {FetchAdd(0, 1)}),
                     .variables = {0},
                     .semaphores = {}});
  const trace::Execution& execution = target.Run({});
  ASSERT_EQ(execution.choices.size(), 3u);  // 3, 2 and 1 others are open
  constexpr ExecutionTree::Id kSecond = 7;
  ChoiceStack stack;
  stack.Extend(kFirst, execution, kNoDeviation, {});
  stack.Extend(kSecond, execution, 1, {});
  EXPECT_EQ(stack.TakeEldest(), (OpenOption{kFirst, 0, 1, false}));
  EXPECT_EQ(stack.Take(), (OpenOption{kSecond, 2, 3, true}));
  EXPECT_EQ(stack.TakeEldest(), (OpenOption{kFirst, 0, 2, false}));
  EXPECT_EQ(stack.TakeEldest(), (OpenOption{kFirst, 0, 3, false}));
  EXPECT_EQ(stack.Take(), (OpenOption{kFirst, 2, 3, false}));
  stack.Extend(kSecond, execution, 1, {});
  EXPECT_EQ(stack.TakeEldest(), (OpenOption{kFirst, 1, 2, false}));
  EXPECT_EQ(stack.TakeEldest(), (OpenOption{kFirst, 1, 3, true}));
  EXPECT_EQ(stack.TakeEldest(), (OpenOption{kSecond, 2, 3, true}));
  EXPECT_EQ(stack.TakeEldest(), std::nullopt);
}

TEST(ChoiceStack, BoundLeavesOutWhatCosts) {
  FakeTarget target({.threads = {{FetchAdd(0, 1), FetchAdd(0, 1)}, {FetchAdd(0, 1)}},
                     .variables = {0},
                     .semaphores = {}});
  const trace::Execution& execution = target.Run({});
  ASSERT_EQ(execution.choices.size(), 2u);
  ChoiceStack stack;
  EXPECT_FALSE(stack.Extend(kFirst, execution, kNoDeviation, {.most = 0}).all);
  EXPECT_EQ(stack.Take(), (OpenOption{kFirst, 0, 1, true}));  // who begins is free
  EXPECT_EQ(stack.Take(), std::nullopt);
  EXPECT_TRUE(stack.Extend(kFirst, execution, kNoDeviation, {.most = 1}).all);
  EXPECT_EQ(stack.Take(), (OpenOption{kFirst, 1, 1, false}));
}

}  // namespace
}  // namespace heddle::explore
