// The execution as a partial order of steps, of executions written by hand: operations that touch
// several objects, and what a compare-exchange of several would be in another order.
#include "explore/order/step_graph.h"

#include <gtest/gtest.h>

#include <vector>

#include "execution_by_hand.h"

namespace heddle::explore {
namespace {

using op::Access;
using op::Kind;

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
