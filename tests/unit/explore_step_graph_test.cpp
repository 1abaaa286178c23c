// The execution as a partial order of steps, of executions written by hand: operations that touch
// several objects, and what a compare-exchange of several would be in another order.
#include "explore/por/step_graph.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle::explore {
namespace {

using op::Access;
using op::Kind;

// One event a step.
class ByHand {
 public:
  explicit ByHand(uint32_t threads) { execution_.threads = threads; }

  struct Part {
    uint32_t object;
    op::Level level = 0;
    op::Level expected = 0;
  };
  void Step(op::ThreadId thread, Kind kind, Access access, const std::vector<Part>& parts,
            uint8_t detail = 0) {
    const auto index = static_cast<uint32_t>(events_.size());
    steps_.push_back({thread, index, 0});
    events_.push_back(
        {thread, kind, access, 0, detail, parts[0].object, parts[0].expected, parts[0].level, 0});
    if (parts.size() == 1) return;
    for (const Part& part : parts) {
      touches_.push_back({index, part.object, part.level, part.expected});
    }
  }
  const trace::Execution& Get() {
    execution_.events = events_;
    execution_.touches = touches_;
    execution_.steps = steps_;
    return execution_;
  }

 private:
  trace::Execution execution_;
  std::vector<trace::Event> events_;
  std::vector<trace::Touch> touches_;
  std::vector<trace::Step> steps_{{op::kNoThread, 0, 0}};
};

std::vector<StepGraph::Race> RacesOf(const StepGraph& graph, StepIndex i) {
  std::vector<StepGraph::Race> races;
  graph.FindRaces(i, races);
  return races;
}

constexpr uint32_t kA = 4;  // objects
constexpr uint32_t kB = 7;

TEST(StepGraph, AnOperationComesAfterAllThatItTouches) {
  ByHand hand(4);
  hand.Step(0, Kind::kAtomicStore, Access::kWrite, {{kA}});
  hand.Step(1, Kind::kAtomicStore, Access::kWrite, {{kB}});
  hand.Step(2, Kind::kAtomicLoad, Access::kRead, {{kA}, {kB}});
  hand.Step(3, Kind::kAtomicLoad, Access::kRead, {{kA}});
  StepGraph graph;
  graph.Extend(hand.Get());
  EXPECT_FALSE(graph.HappensBefore(1, 2));
  EXPECT_TRUE(graph.HappensBefore(1, 3));
  EXPECT_TRUE(graph.HappensBefore(2, 3));
  EXPECT_TRUE(graph.HappensBefore(1, 4));
  EXPECT_FALSE(graph.HappensBefore(2, 4));
  EXPECT_FALSE(graph.HappensBefore(3, 4));
  ASSERT_EQ(graph.AccessesOf(3).size(), 2u);
  EXPECT_EQ(RacesOf(graph, 3).size(), 2u);
  // Going back and on again finds the touches of the steps that are new.
  graph.Truncate(3);
  graph.Extend(hand.Get());
  EXPECT_EQ(graph.AccessesOf(3).size(), 2u);
  EXPECT_EQ(graph.AccessesOf(3)[1].touch.object, kB);
  EXPECT_TRUE(graph.HappensBefore(2, 3));
}

// Both stores make the compare-exchange of the two objects fail. Before one of them it fails all
// the same, because of the other.
TEST(StepGraph, ACompareExchangeNeedsAllOfItsObjects) {
  ByHand hand(3);
  hand.Step(0, Kind::kAtomicStore, Access::kWrite, {{kA}});
  hand.Step(1, Kind::kAtomicStore, Access::kWrite, {{kB}});
  hand.Step(2, Kind::kAtomicCompareExchange, Access::kRead, {{kA, 1}, {kB, 1}});
  StepGraph graph;
  graph.Extend(hand.Get());
  const auto races = RacesOf(graph, 3);
  ASSERT_EQ(races.size(), 2u);
  for (const StepGraph::Race& race : races) EXPECT_EQ(race.access, Access::kRead);
}

TEST(StepGraph, ACompareExchangeSucceedsBeforeWhatChangesOneOfItsObjects) {
  ByHand hand(2);
  hand.Step(0, Kind::kAtomicStore, Access::kWrite, {{kA}});
  hand.Step(1, Kind::kAtomicCompareExchange, Access::kRead, {{kA, 1}, {kB, 0}});
  StepGraph graph;
  graph.Extend(hand.Get());
  const auto races = RacesOf(graph, 2);
  ASSERT_EQ(races.size(), 1u);
  EXPECT_EQ(races[0].access, Access::kWrite);
}

// The store to A and the one to B after it are of one thread: before the first, both are gone.
TEST(StepGraph, WhatHappensAfterTheRaceIsLeftOut) {
  ByHand hand(2);
  hand.Step(0, Kind::kAtomicStore, Access::kWrite, {{kA}});
  hand.Step(0, Kind::kAtomicStore, Access::kWrite, {{kB}});
  hand.Step(1, Kind::kAtomicCompareExchange, Access::kRead, {{kA, 1}, {kB, 1}});
  StepGraph graph;
  graph.Extend(hand.Get());
  // The race with the store to A waits until the one with the store to B is reversed, before which
  // A is changed already.
  const auto races = RacesOf(graph, 3);
  ASSERT_EQ(races.size(), 1u);
  EXPECT_EQ(races[0].j, 2u);
  EXPECT_EQ(races[0].access, Access::kRead);
}

TEST(StepGraph, OneStoreToBothIsLeftOutOfBoth) {
  ByHand hand(2);
  hand.Step(0, Kind::kAtomicStore, Access::kWrite, {{kA}, {kB}});
  hand.Step(1, Kind::kAtomicCompareExchange, Access::kRead, {{kA, 1}, {kB, 1}});
  StepGraph graph;
  graph.Extend(hand.Get());
  const auto races = RacesOf(graph, 2);
  ASSERT_EQ(races.size(), 1u);
  EXPECT_EQ(races[0].access, Access::kWrite);
}

TEST(StepGraph, OfAPartOfAnObjectNothingIsPredicted) {
  ByHand hand(2);
  hand.Step(0, Kind::kAtomicStore, Access::kWrite, {{kA, 5}});
  hand.Step(1, Kind::kAtomicCompareExchange, Access::kRead, {{kA, 1, 9}}, op::kOfAPart);
  StepGraph graph;
  graph.Extend(hand.Get());
  const auto races = RacesOf(graph, 2);
  ASSERT_EQ(races.size(), 1u);
  EXPECT_EQ(races[0].access, Access::kWrite);
}

}  // namespace
}  // namespace heddle::explore
