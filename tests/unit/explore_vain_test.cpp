// Taking rounds in vain out of an execution: numbers of events and steps still fit together.
#include "explore/order/vain.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle::explore {
namespace {

trace::Event Read(op::ThreadId thread, uint32_t level) {
  trace::Event event = {};
  event.thread = thread;
  event.kind = op::Kind::kAtomicLoad;
  event.access = op::Access::kRead;
  event.object = 7;
  event.level = level;
  return event;
}

struct Told {
  std::vector<trace::Step> steps = {{op::kNoThread, 0, 0}};
  std::vector<trace::Event> events;
  std::vector<trace::LetGo> let_go;

  void Step(op::ThreadId thread, uint32_t level, bool vain) {
    trace::Step step = {thread, static_cast<uint32_t>(events.size()), 0};
    step.vain = vain;
    step.repeatable = vain;
    step.await = 3;
    steps.push_back(step);
    events.push_back(Read(thread, level));
  }
  trace::Execution View() const {
    trace::Execution execution;
    execution.steps = steps;
    for (const trace::Step& step : steps) execution.vain_steps += step.vain;
    execution.events = events;
    execution.let_go = let_go;
    return execution;
  }
};

TEST(WithoutVain, LeavesOthersAlone) {
  Told told;
  told.Step(1, 0, false);
  WithoutVain without;
  const trace::Execution execution = told.View();
  EXPECT_EQ(&without.Of(execution), &execution);
  EXPECT_TRUE(without.Looks().empty());
}

TEST(WithoutVain, RenumbersWhatFollows) {
  Told told;
  told.Step(1, 0, false);
  told.Step(2, 5, true);
  told.Step(1, 1, false);
  told.let_go.push_back({2, 2, false});  // by the step in vain, or before the last: the same
  told.let_go.push_back({2, 3, false});
  WithoutVain without;
  const trace::Execution left = without.Of(told.View());
  ASSERT_EQ(left.steps.size(), 3u);
  EXPECT_EQ(left.steps[2].thread, 1u);
  EXPECT_EQ(left.steps[2].event, 1u);
  ASSERT_EQ(left.events.size(), 2u);
  EXPECT_EQ(left.events[1].level, 1u);
  EXPECT_EQ(left.let_go[0].event, 1u);
  EXPECT_EQ(left.let_go[1].event, 2u);
  ASSERT_EQ(without.Looks().size(), 1u);
  const Look& look = without.Looks()[0];
  EXPECT_EQ(look.step, 2u);
  EXPECT_EQ(look.thread, 2u);
  EXPECT_EQ(look.object, 7u);
  EXPECT_EQ(look.level, 5u);
  EXPECT_EQ(look.await, 3u);
  EXPECT_TRUE(look.repeatable);
}

}  // namespace
}  // namespace heddle::explore
