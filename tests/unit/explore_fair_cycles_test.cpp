// Livelocks in graphs of states (explore/visited/fair_cycles.h): small graphs by hand, and random
// ones against walks that are made at random.
#include "explore/visited/fair_cycles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>

#include "explore/visited/step_labels.h"

namespace heddle::explore {
namespace {

using plan::Met;

constexpr uint64_t kBoth = 3;
constexpr uint32_t kEndless = plan::MadeStep::kEndlessLoop;
constexpr uint32_t kLoop = 8, kOtherLoop = 16;  // of some thread

class FairCyclesTest : public testing::Test {
 protected:
  struct Step {
    op::ThreadId thread = 0;
    uint64_t enabled = kBoth;
    bool changed = true;
    bool yields = false;
    std::vector<Met> met = {};
    uint32_t loop = kLoop;
    uint64_t stand = 0;
  };

  void Edge(uint32_t from, uint32_t to, const Step& step) {
    labels_.Reserve(16);
    plan::MadeStep made;
    made.thread = step.thread;
    made.enabled = step.enabled;
    made.changed = step.changed;
    made.yields = step.yields;
    made.loop = step.loop;
    made.stand = step.stand;
    made.met = step.met;
    edges_.push_back({from, to, labels_.Add(made)});
    ASSERT_NE(edges_.back().label, StepLabels::kNone);
  }
  std::vector<StateWalk> Find(bool starving = false) {
    FairCycles cycles(labels_);
    const std::vector<StateWalk> walks = cycles.Find(edges_, starving);
    EXPECT_FALSE(cycles.GaveUp());
    for (const StateWalk& walk : walks) ExpectClosed(walk);
    return walks;
  }
  void ExpectClosed(const StateWalk& walk) {
    ASSERT_FALSE(walk.edges.empty());
    EXPECT_EQ(walk.edges.front().from, walk.edges.back().to);
    for (size_t i = 1; i < walk.edges.size(); ++i)
      EXPECT_EQ(walk.edges[i - 1].to, walk.edges[i].from);
  }

  StepLabels labels_;
  std::vector<StateEdge> edges_;
};

TEST_F(FairCyclesTest, ACycleOfBothThreadsIsFair) {
  Edge(0, 1, {.thread = 0});
  Edge(1, 0, {.thread = 1});
  ASSERT_EQ(Find().size(), 1u);
  EXPECT_EQ(Find()[0].edges.size(), 2u);
}

TEST_F(FairCyclesTest, OneThatKeepsOutAThreadIsNot) {
  Edge(0, 1, {.thread = 0});
  Edge(1, 0, {.thread = 0});
  Edge(0, 2, {.thread = 1});  // and ends
  EXPECT_TRUE(Find().empty());
  ASSERT_EQ(Find(true).size(), 1u);
  EXPECT_FALSE(Find(true)[0].fair);
}

TEST_F(FairCyclesTest, StarvationByThoseWhoYieldIsNotTold) {
  Edge(0, 1, {.thread = 0});
  Edge(1, 0, {.thread = 0, .yields = true});
  EXPECT_TRUE(Find(true).empty());
}

// Each goes round alone, and keeps out the other one; with both it is fair.
TEST_F(FairCyclesTest, TwoCyclesThatMeetAreOne) {
  Edge(0, 1, {.thread = 0});
  Edge(1, 0, {.thread = 0});
  Edge(0, 2, {.thread = 1});
  Edge(2, 0, {.thread = 1});
  ASSERT_EQ(Find().size(), 1u);
  EXPECT_EQ(Find()[0].edges.size(), 4u);
}

// Thread 1 could go on in state 1 only, and never does; round 0, 2, 0 it cannot.
TEST_F(FairCyclesTest, StatesInWhichSomebodyIsKeptOutAreAvoided) {
  Edge(0, 1, {.thread = 0, .enabled = 1});
  Edge(1, 0, {.thread = 0, .enabled = 3});
  Edge(0, 2, {.thread = 0, .enabled = 1});
  Edge(2, 0, {.thread = 0, .enabled = 1});
  const auto walks = Find();
  ASSERT_EQ(walks.size(), 1u);
  for (const StateEdge& edge : walks[0].edges) EXPECT_NE(edge.to, 1u);
}

// Thread 1 waits until object 7 has another level than 0, and it has.
TEST_F(FairCyclesTest, WhoOnlyWaitsHasToFindWhatComesUp) {
  Edge(0, 1, {.thread = 0, .met = {{7, 0, 0, 0}}});
  Edge(1, 0, {.thread = 0, .met = {{7, 1, 0, 0}}});
  Edge(0, 0, {.thread = 1, .changed = false, .met = {{7, 0, 1, 0}}});
  EXPECT_TRUE(Find().empty());
  Edge(1, 1, {.thread = 1, .changed = false, .met = {{7, 1, 1, 0}}});
  EXPECT_EQ(Find().size(), 1u) << "now it does find that";
  EXPECT_EQ(Find()[0].edges.size(), 4u);
}

// The other way round by object 7 is not needed for a fair cycle.
TEST_F(FairCyclesTest, AValueThatIsNotFoundIsAvoided) {
  Edge(0, 1, {.thread = 0, .met = {{7, 0, 0, 0}}});
  Edge(1, 0, {.thread = 0, .met = {{7, 1, 0, 0}}});
  Edge(0, 0, {.thread = 1, .changed = false, .met = {{7, 0, 1, 0}}});
  Edge(0, 2, {.thread = 0, .met = {{8, 0, 0, 0}}});
  Edge(2, 0, {.thread = 0, .met = {{8, 1, 0, 0}}});
  const auto walks = Find();
  ASSERT_EQ(walks.size(), 1u);
  for (const StateEdge& edge : walks[0].edges) EXPECT_NE(edge.to, 1u);
}

// Both take a lock (1, 2), fail to get the other one, give theirs back, and wait for the other one.
TEST_F(FairCyclesTest, ThePoliteAreNoLivelock) {
  constexpr uint8_t kWaits = Met::kLocks | Met::kWaits;
  constexpr uint8_t kFails = Met::kLocks | Met::kTries | Met::kFails;
  const auto round = [&](uint32_t waits_for_of_0) {
    edges_.clear();
    Edge(0, 1, {.thread = 0, .met = {{waits_for_of_0, 0, 0, kWaits}}});
    Edge(1, 2, {.thread = 1, .met = {{1, 0, 1, kWaits}}});
    Edge(2, 3, {.thread = 0, .changed = false, .met = {{1, 1, 0, kFails}}});
    Edge(3, 4, {.thread = 1, .changed = false, .met = {{2, 1, 1, kFails}}});
    Edge(4, 5, {.thread = 0, .met = {{waits_for_of_0, 1, 0, Met::kLocks}}});
    Edge(5, 0, {.thread = 1, .met = {{1, 1, 1, Met::kLocks}}});
  };
  round(2);
  // Thread 0 takes lock 2 again, and not lock 1 that it failed to get: not polite, nor is thread 1.
  EXPECT_EQ(Find().size(), 1u);
  round(1);
  EXPECT_TRUE(Find().empty());
}

TEST_F(FairCyclesTest, WhereAllMakeProgressIsNoLivelock) {
  Edge(0, 1, {.thread = 0, .loop = kEndless});
  Edge(1, 2, {.thread = 1});
  Edge(2, 0, {.thread = 1, .loop = kOtherLoop});
  EXPECT_TRUE(Find().empty()) << "thread 1 has left a loop, too";
  Edge(1, 1, {.thread = 0});
  EXPECT_TRUE(Find().empty()) << "thread 0 needs its step in the endless loop to go round";
  Edge(0, 1, {.thread = 0});
  EXPECT_EQ(Find().size(), 1u) << "now it goes round in a loop";
}

TEST_F(FairCyclesTest, ALoopThatIsNotKnownIsNotLeft) {
  Edge(0, 1, {.thread = 0, .loop = kEndless});
  Edge(1, 0, {.thread = 0, .loop = kEndless});
  Edge(0, 0, {.thread = 1, .loop = kEndless});
  EXPECT_TRUE(Find().empty());
  Edge(1, 1, {.thread = 1, .loop = plan::MadeStep::kUnknownLoop});
  EXPECT_EQ(Find().size(), 1u);
}

// Thread 1 goes round 0, 2, 0 only, and waits in state 1.
TEST_F(FairCyclesTest, ToWaitAllTheWhileIsNoProgress) {
  Edge(0, 1, {.thread = 0, .enabled = 3, .loop = kEndless, .stand = 3});
  Edge(1, 0, {.thread = 0, .enabled = 1, .loop = kEndless, .stand = 3});
  Edge(0, 0, {.thread = 1, .enabled = 3, .loop = kEndless, .stand = 3});
  EXPECT_TRUE(Find().empty());
  Edge(1, 1, {.thread = 0, .enabled = 1, .loop = kEndless, .stand = 3});
  EXPECT_EQ(Find().size(), 1u);
}

TEST_F(FairCyclesTest, NeverToGetWhatIsTriedIsNoProgress) {
  constexpr uint8_t kTries = Met::kLocks | Met::kTries;
  Edge(0, 1, {.thread = 0, .met = {{7, 1, 0, kTries | Met::kFails}}, .loop = kEndless});
  Edge(1, 0, {.thread = 1, .loop = kEndless});
  EXPECT_EQ(Find().size(), 1u);
  edges_.pop_back();
  Edge(1, 2, {.thread = 0, .met = {{7, 0, 0, kTries}}, .loop = kEndless});
  Edge(2, 0, {.thread = 1, .loop = kEndless});
  EXPECT_TRUE(Find().empty()) << "it fails, and then gets it";
  Edge(1, 0, {.thread = 1, .loop = kEndless});
  EXPECT_EQ(Find().size(), 1u) << "there is a way round on which it only fails";
}

// Against the definition: a closed walk made at random in the graph is a livelock only if one is
// found where it goes; and what is found is one.
TEST_F(FairCyclesTest, AgreesWithWalksMadeAtRandom) {
  const auto is_livelock = [&](const std::vector<StateEdge>& walk) {
    uint64_t enabled = 0, ran = 0, changed = 0;
    std::vector<Met> met;
    for (const StateEdge& edge : walk) {
      enabled |= labels_.Enabled(edge.label);
      const uint64_t thread = uint64_t{1} << labels_.ThreadOf(edge.label);
      ran |= thread;
      if (labels_.Changed(edge.label)) changed |= thread;
      for (uint32_t i = 0; i < labels_.MetCount(edge.label); ++i)
        met.push_back(labels_.Met(edge.label, i));
    }
    if ((enabled & ~ran) != 0) return false;
    for (const Met& own : met) {
      if ((uint64_t{1} << own.thread & ran & ~changed) == 0) continue;
      for (const Met& other : met) {
        const bool found = std::ranges::any_of(met, [&](const Met& m) {
          return m.thread == own.thread && m.object == other.object && m.level == other.level;
        });
        if (other.object == own.object && !found) return false;
      }
    }
    for (op::ThreadId thread = 0; thread < 3; ++thread) {
      std::set<uint32_t> loops;
      for (const StateEdge& edge : walk)
        if (labels_.ThreadOf(edge.label) == thread) loops.insert(labels_.LoopOf(edge.label));
      if ((ran >> thread & 1) == 0) continue;
      const bool stays = loops.size() == 1 && !loops.contains(kEndless);
      if (stays || (changed >> thread & 1) == 0) return true;
    }
    return false;  // all make progress
  };
  uint32_t with = 0, without = 0;
  for (uint32_t seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](uint32_t bound) { return static_cast<uint32_t>(random() % bound); };
    labels_ = {};
    edges_.clear();
    const uint32_t states = 2 + below(4);
    const uint32_t edges = states + below(2 * states);
    std::vector<uint64_t> enabled(states);
    for (uint64_t& set : enabled) set = 1 + below(7);
    for (uint32_t i = 0; i < edges; ++i) {
      const uint32_t from = below(states);
      op::ThreadId thread = below(3);
      while ((enabled[from] >> thread & 1) == 0) thread = (thread + 1) % 3;
      Edge(from, below(states),
           {.thread = thread,
            .enabled = enabled[from],
            .changed = below(3) == 0,
            .met = {{below(2), below(2), thread, 0}},
            .loop = seed % 2 == 0 ? kLoop : 8 * below(3)});
    }
    const std::vector<StateWalk> walks = Find();
    for (const StateWalk& walk : walks) EXPECT_TRUE(is_livelock(walk.edges)) << "seed " << seed;
    (walks.empty() ? without : with) += 1;
    // A walk at random, from its first state back to it.
    std::vector<StateEdge> made;
    uint32_t at = below(states);
    for (uint32_t i = 0; i < 150; ++i) {
      std::vector<StateEdge> out;
      for (const StateEdge& edge : edges_)
        if (edge.from == at) out.push_back(edge);
      if (out.empty()) break;
      made.push_back(out[below(static_cast<uint32_t>(out.size()))]);
      at = made.back().to;
      for (size_t begin = 0; begin < made.size() && walks.empty(); ++begin) {
        if (made[begin].from != at) continue;
        const std::vector<StateEdge> closed(made.begin() + static_cast<ptrdiff_t>(begin),
                                            made.end());
        ASSERT_FALSE(is_livelock(closed)) << "seed " << seed << ", a walk of " << closed.size();
      }
      if (!walks.empty()) break;
    }
  }
  EXPECT_GT(with, 20u);
  EXPECT_GT(without, 20u);
}

TEST(StepLabelsTest, EachStepHasOneNumber) {
  StepLabels labels;
  labels.Reserve(8);
  const Met met[] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  const plan::Taken taken[] = {{9, 10}};
  plan::MadeStep made;
  made.thread = 2;
  made.enabled = 0xf0;
  made.changed = true;
  made.met = met;
  made.taken = taken;
  const StepLabels::Id first = labels.Add(made);
  EXPECT_EQ(labels.Add(made), first);
  made.changed = false;
  const StepLabels::Id second = labels.Add(made);
  EXPECT_NE(second, first);
  EXPECT_EQ(labels.ThreadOf(first), 2u);
  EXPECT_EQ(labels.Enabled(first), 0xf0u);
  EXPECT_TRUE(labels.Changed(first));
  ASSERT_EQ(labels.MetCount(first), 2u);
  EXPECT_EQ(labels.Met(first, 1), met[1]);
  ASSERT_EQ(labels.TakenCount(first), 1u);
  EXPECT_EQ(labels.Taken(first, 0), taken[0]);
  labels.Truncate(second);
  EXPECT_EQ(labels.Size(), 1u);
  EXPECT_EQ(labels.Add(made), second) << "its place is free again";
  made.thread = 3;
  for (uint32_t i = 0; labels.Add(made) != StepLabels::kNone; ++i) {
    ASSERT_LT(i, 100'000u) << "there is an end of the room";
    made.enabled = i;
  }
}

}  // namespace
}  // namespace heddle::explore
