// What a reversal runs (explore/por/sequence.h), of executions small enough to draw: a column for
// each thread, a line for each step; the last step is to be run before step 1.
#include "explore/por/sequence.h"

#include <gtest/gtest.h>

#include <vector>

#include "execution_by_hand.h"

namespace heddle::explore {
namespace {

using Match = Sequence::Match;

constexpr uint32_t kA = 0;  // objects
constexpr uint32_t kB = 1;
constexpr uint32_t kC = 2;

Label StoreBy(op::ThreadId thread, uint32_t object) {
  Label label;
  label.thread = thread;
  label.touches = {{object, op::Access::kWrite}};
  return label;
}

//   T0            T1            T2            T3
//   1 store A
//                 2 store B
//                               3 load B
//   4 load B                                               after 1: it stays behind
//                                             5 load A     is to be run before 1
//
// So the sequence is 2, 3, 5; and 5 needs none of the others.
class SequenceTest : public testing::Test {
 protected:
  SequenceTest() : hand_(5) {
    hand_.Store(0, kA);
    hand_.Store(1, kB);
    hand_.Load(2, kB);
    hand_.Load(0, kB);
    hand_.Load(3, kA);
    graph_.Extend(hand_.Get());
    reversal_ = {.j = 1, .last = LabelOf(graph_, 5), .clock = graph_.BaseBefore(5), .since = 5};
  }
  Sequence Make() { return Sequence(graph_, reversal_, taken_); }
  Match Take(Sequence& v, const Label& label) {
    const Sequence::Found found = v.WeakInitial(label);
    if (found.match != Match::kNo) v.Take(label, found);
    return found.match;
  }

  ByHand hand_;
  StepGraph graph_;
  Reversal reversal_;
  std::vector<StepIndex> taken_;
};

TEST_F(SequenceTest, IsWhatDoesNotHappenAfterTheRace) {
  const Sequence v = Make();
  for (StepIndex f : {2u, 3u}) EXPECT_TRUE(v.Contains(f)) << f;
  for (StepIndex f : {0u, 1u, 4u}) EXPECT_FALSE(v.Contains(f)) << f;
  EXPECT_TRUE(v.ContainsLast());
  EXPECT_EQ(v.FirstStepOf(0), kNoStep);
  EXPECT_EQ(v.FirstStepOf(1), 2u);
  EXPECT_EQ(v.FirstStepOf(2), 3u);
  ASSERT_EQ(v.StepsOf(1, 5).size(), 1u);
  EXPECT_EQ(v.StepsOf(1, 5)[0], 2u);
  EXPECT_TRUE(v.StepsOf(1, 2).empty());
}

TEST_F(SequenceTest, BeginsWithWhatNothingInItComesBefore) {
  const Sequence v = Make();
  const Sequence::Found store = v.WeakInitial(LabelOf(graph_, 2));
  EXPECT_EQ(store.match, Match::kStep);
  EXPECT_EQ(store.step, 2u);
  EXPECT_EQ(v.WeakInitial(LabelOf(graph_, 3)).match, Match::kNo);  // 2 comes before it
  EXPECT_EQ(v.WeakInitial(reversal_.last).match, Match::kLast);
}

TEST_F(SequenceTest, MayBeginWithWhatIsIndependentOfAllOfIt) {
  const Sequence v = Make();
  EXPECT_EQ(v.WeakInitial(StoreBy(4, kC)).match, Match::kIndependent);
  EXPECT_EQ(v.WeakInitial(StoreBy(4, kB)).match, Match::kNo);  // of 2
  EXPECT_EQ(v.FirstDependent(StoreBy(4, kB)), 2u);
  EXPECT_EQ(v.WeakInitial(StoreBy(4, kA)).match, Match::kNo);  // of the last operation
  EXPECT_EQ(v.FirstDependent(StoreBy(4, kA)), kNoStep);        // 1 is not in it
  EXPECT_EQ(v.WeakInitial(LabelOf(graph_, 1)).match, Match::kNo);
}

// Nothing can be said of what follows an end, of another option of the same step, or of accesses
// that are not known.
TEST_F(SequenceTest, DoesNotBeginWithWhatSaysNothingOfTheRest) {
  const Sequence v = Make();
  Label label = StoreBy(4, kC);
  label.ends = true;
  EXPECT_EQ(v.WeakInitial(label).match, Match::kNo);
  label = StoreBy(4, kC);
  label.alone = true;
  EXPECT_EQ(v.WeakInitial(label).match, Match::kNo);
  label = StoreBy(4, kC);
  label.unknown = true;
  EXPECT_EQ(v.WeakInitial(label).match, Match::kNo);
}

TEST_F(SequenceTest, DoesNotBeginWithAnotherOptionOfAStep) {
  const Sequence v = Make();
  Label label = LabelOf(graph_, 2);
  label.options = {{1, 1}};
  EXPECT_EQ(v.WeakInitial(label).match, Match::kNo);
}

TEST_F(SequenceTest, IsTakenFromTheFront) {
  Sequence v = Make();
  EXPECT_EQ(Take(v, LabelOf(graph_, 2)), Match::kStep);
  EXPECT_FALSE(v.Contains(2));
  EXPECT_EQ(v.FirstStepOf(1), kNoStep);
  EXPECT_EQ(v.FirstDependent(StoreBy(4, kB)), 3u);
  EXPECT_EQ(Take(v, LabelOf(graph_, 3)), Match::kStep);
  EXPECT_EQ(v.WeakInitial(StoreBy(4, kB)).match, Match::kIndependent);
  EXPECT_EQ(Take(v, reversal_.last), Match::kLast);
  EXPECT_FALSE(v.ContainsLast());
  EXPECT_EQ(v.WeakInitial(StoreBy(4, kA)).match, Match::kIndependent);
}

TEST_F(SequenceTest, LeavesOutWhatHasToComeAfterTheLastOperation) {
  reversal_.without = {2};
  const Sequence v = Make();
  EXPECT_FALSE(v.Contains(2));
  EXPECT_FALSE(v.Contains(3));  // it happens after 2
  EXPECT_EQ(v.WeakInitial(StoreBy(4, kB)).match, Match::kIndependent);
}

TEST_F(SequenceTest, IsTheLastOperationAloneIfThatGoesFirst) {
  reversal_.at_once = true;
  const Sequence v = Make();
  EXPECT_FALSE(v.Contains(2));
  EXPECT_TRUE(v.StepsOf(1, 5).empty());
  EXPECT_EQ(v.WeakInitial(LabelOf(graph_, 2)).match, Match::kIndependent);
  EXPECT_EQ(v.WeakInitial(reversal_.last).match, Match::kLast);
}

//   T0            T1            T2
//   1 store A
//                 2 store B
//                               3 load B
//                               4 load A       needs 3, and so 2, before it
TEST(Sequence, EndsWithAnOperationThatNeedsTheRest) {
  ByHand hand(3);
  hand.Store(0, kA);
  hand.Store(1, kB);
  hand.Load(2, kB);
  hand.Load(2, kA);
  StepGraph graph;
  graph.Extend(hand.Get());
  const Reversal reversal = {
      .j = 1, .last = LabelOf(graph, 4), .clock = graph.BaseBefore(4), .since = 4};
  std::vector<StepIndex> taken;
  Sequence v(graph, reversal, taken);
  EXPECT_EQ(v.WeakInitial(reversal.last).match, Match::kNo);
  for (StepIndex f : {2u, 3u}) {
    const Label label = LabelOf(graph, f);
    const Sequence::Found found = v.WeakInitial(label);
    ASSERT_EQ(found.match, Match::kStep);
    v.Take(label, found);
  }
  EXPECT_EQ(v.WeakInitial(reversal.last).match, Match::kLast);
}

}  // namespace
}  // namespace heddle::explore
