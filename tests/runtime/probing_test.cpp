// When the search pauses for probes (search/probing.h): by work alone, never by the clock.
#include "search/probing.h"

#include <gtest/gtest.h>

#include "runtime/control.h"

namespace heddle::search {
namespace {

class CountingTarget final : public target::Target {
 public:
  const trace::Execution& Run(const plan::Plan&) override {
    ++runs;
    execution_.ending.kind = trace::EndKind::kExit;
    return execution_;
  }
  int runs = 0;

 private:
  trace::Execution execution_;
};

class ProbingTest : public testing::Test {
 protected:
  ProbingTest() : before_(runtime::ChannelHeader().settings) {
    channel::Settings& settings = runtime::ChannelHeader().settings;
    settings.reduction = channel::Reduction::kNone;
    settings.order = channel::Order::kDepthFirst;
    settings.bound = {};
    settings.memory_model = channel::MemoryModel::kSc;
    settings.visited = channel::Visited::kNone;
  }
  ~ProbingTest() override { runtime::ChannelHeader().settings = before_; }

  bool AreDue() { return Probing(&state_, observer_).AreDue(searched_); }

  const channel::Settings before_;
  FindingObserver::State searched_;
  FindingObserver observer_{&searched_};
  Probing::State state_;
};

// 50 microseconds each: two seconds of that.
TEST_F(ProbingTest, ManyExecutionsAreEnough) {
  searched_.executions = 30'000;
  searched_.redundant = 9'999;
  EXPECT_FALSE(AreDue());
  ++searched_.assumed_away;
  EXPECT_TRUE(AreDue());
}

TEST_F(ProbingTest, SoAreLongOnes) {
  searched_.executions = 1;
  searched_.events = 4'900'000;
  EXPECT_FALSE(AreDue());
  searched_.events = 5'000'000;
  EXPECT_TRUE(AreDue());
}

// Else the search would pause for ever.
TEST_F(ProbingTest, WhatIsUnknownIsNotProbed) {
  searched_.executions = 40'000;
  state_.whole.is_unknown = true;
  EXPECT_FALSE(AreDue());
}

// One part in 33: eight probes (the whole, and seven bounds), each an execution.
TEST_F(ProbingTest, TheyGetAShareOfTheWork) {
  searched_.executions = 40'000;
  CountingTarget target;
  for (int round = 0; AreDue(); ++round) {
    ASSERT_LT(round, 1'000);
    Probing(&state_, observer_).Run(target, 1, searched_.executions);
  }
  EXPECT_NEAR(target.runs, 40'000 / 33, 8);
  const int runs = target.runs;
  searched_.executions = 80'000;
  while (AreDue()) Probing(&state_, observer_).Run(target, 1, searched_.executions);
  EXPECT_NEAR(target.runs, 2 * runs, 16);
}

}  // namespace
}  // namespace heddle::search
