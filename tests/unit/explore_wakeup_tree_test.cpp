// Wakeup trees (explore/por/wakeup_tree.h): lists of siblings in the order in which they are to be
// run, and what lives on when a node was taken off.
#include "explore/por/wakeup_tree.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle::explore {
namespace {

using Id = WakeupTrees::Id;
constexpr Id kRoot = ExecutionTree::kRoot;
constexpr Id kNone = WakeupTrees::kNone;

Label By(op::ThreadId thread) {
  Label label;
  label.thread = thread;
  return label;
}

std::vector<op::ThreadId> Threads(const WakeupTrees& trees, Id list) {
  std::vector<op::ThreadId> threads;
  for (Id id = list; id != kNone; id = trees.Next(id)) threads.push_back(trees.LabelOf(id).thread);
  return threads;
}

using List = std::vector<op::ThreadId>;

//      |         at step 4
//   3  1  2      Prepend goes before the first, Append behind the last
TEST(WakeupTrees, SiblingsStandInTheOrderInWhichTheyAreRun) {
  WakeupTrees trees;
  Id list = kNone;
  const Id one = trees.Append(kRoot, 4, list, By(1));
  EXPECT_EQ(list, one);
  const Id two = trees.Append(kRoot, 4, list, By(2));
  const Id three = trees.Prepend(kRoot, 4, list, By(3));
  EXPECT_EQ(list, three);
  EXPECT_EQ(Threads(trees, list), (List{3, 1, 2}));
  EXPECT_EQ(trees.Next(two), kNone);
  // As nodes of the execution tree they differ from their parent at that step.
  EXPECT_EQ(trees.At(one).parent, kRoot);
  EXPECT_EQ(trees.At(one).step, 4u);
  EXPECT_EQ(trees.At(one).option, 1u);
  EXPECT_EQ(trees.Size(), 3u);
}

//   step 4     1
//   step 5    2 3        sequences 1 2 and 1 3 0
//   step 6      0
TEST(WakeupTrees, APathIsASequenceOfSteps) {
  WakeupTrees trees;
  Id list = kNone;
  const Id one = trees.Append(kRoot, 4, list, By(1));
  EXPECT_TRUE(trees.IsLeaf(one));
  const Id two = trees.AppendChild(one, By(2));
  const Id three = trees.AppendChild(one, By(3));
  const Id zero = trees.AppendChild(three, By(0));
  EXPECT_FALSE(trees.IsLeaf(one));
  EXPECT_TRUE(trees.IsLeaf(two));
  EXPECT_EQ(Threads(trees, trees.Children(one)), (List{2, 3}));
  EXPECT_EQ(trees.Children(three), zero);
  EXPECT_EQ(trees.At(two).step, 5u);
  EXPECT_EQ(trees.At(three).step, 5u);
  EXPECT_EQ(trees.At(zero).step, 6u);
  EXPECT_EQ(trees.At(zero).parent, three);
}

//   1  2  3
//   |              the first is taken; whether it was a leaf then is known although its child goes
//   0
TEST(WakeupTrees, TheFirstIsTakenAndTheOthersStay) {
  WakeupTrees trees;
  Id list = kNone;
  const Id one = trees.Append(kRoot, 4, list, By(1));
  const Id two = trees.Append(kRoot, 4, list, By(2));
  const Id three = trees.Append(kRoot, 4, list, By(3));
  const Id zero = trees.AppendChild(one, By(0));

  EXPECT_EQ(trees.TakeFirst(list), one);
  EXPECT_EQ(Threads(trees, list), (List{2, 3}));
  EXPECT_EQ(trees.Next(one), kNone);
  EXPECT_FALSE(trees.IsOpen(one));
  EXPECT_TRUE(trees.IsOpen(two));
  EXPECT_FALSE(trees.WasLeaf(one));

  // What follows it is to be run from where it leads.
  Id below = trees.TakeChildren(one);
  EXPECT_EQ(below, zero);
  EXPECT_TRUE(trees.IsLeaf(one));
  EXPECT_FALSE(trees.WasLeaf(one));

  EXPECT_EQ(trees.TakeFirst(below), zero);
  EXPECT_EQ(below, kNone);
  EXPECT_TRUE(trees.WasLeaf(zero));
  EXPECT_EQ(trees.TakeFirst(list), two);
  EXPECT_EQ(list, three);
}

//   1         1 is explored, but 0 below it is still to be run: 1 stays, as the way to 0
//   0
TEST(WakeupTrees, ANodeStaysAsLongAsItHasChildren) {
  WakeupTrees trees;
  Id list = kNone;
  const Id one = trees.Append(kRoot, 4, list, By(1));
  trees.AppendChild(one, By(0));
  trees.TakeFirst(list);
  Id below = trees.TakeChildren(one);
  trees.Free(one);
  EXPECT_EQ(trees.Size(), 2u);
  EXPECT_EQ(trees.At(trees.At(below).parent).option, 1u);
  const Id zero = trees.TakeFirst(below);
  EXPECT_EQ(trees.Size(), 2u);
  trees.Free(zero);
  EXPECT_EQ(trees.Size(), 0u);
  EXPECT_EQ(trees.Peak(), 2u);
}

//    1      2        a whole list goes, with all below: 5 nodes; a node of another list stays
//   0 3     |
//           0
TEST(WakeupTrees, AListGoesWithAllBelow) {
  WakeupTrees trees;
  Id list = kNone, other = kNone;
  const Id one = trees.Append(kRoot, 4, list, By(1));
  const Id two = trees.Append(kRoot, 4, list, By(2));
  trees.AppendChild(one, By(0));
  trees.AppendChild(one, By(3));
  const Id last = trees.AppendChild(two, By(0));
  const Id stays = trees.Append(kRoot, 9, other, By(1));
  EXPECT_EQ(trees.Size(), 6u);
  trees.FreeAll(list);
  EXPECT_EQ(trees.Size(), 1u);
  for (const Id id : {one, two, last}) EXPECT_FALSE(trees.IsOpen(id));
  EXPECT_TRUE(trees.IsOpen(stays));
  EXPECT_EQ(trees.Peak(), 6u);
}

// A number that is used again is that of a new node: open, without children, with its own label.
TEST(WakeupTrees, NumbersAreUsedAgain) {
  WakeupTrees trees;
  Id list = kNone;
  const Id old = trees.Append(kRoot, 4, list, By(1));
  trees.AppendChild(old, By(0));
  trees.SetTentative(old);
  trees.SetCoversMore(old);
  EXPECT_TRUE(trees.Tentative(old));
  EXPECT_TRUE(trees.CoversMore(old));
  trees.TakeFirst(list);
  trees.FreeAll(trees.TakeChildren(old));
  trees.Free(old);

  const Id fresh = trees.Append(kRoot, 7, list, By(2));
  EXPECT_EQ(fresh, old);
  EXPECT_TRUE(trees.IsOpen(fresh));
  EXPECT_TRUE(trees.IsLeaf(fresh));
  EXPECT_FALSE(trees.WasLeaf(fresh));
  EXPECT_FALSE(trees.Tentative(fresh));
  EXPECT_FALSE(trees.CoversMore(fresh));
  EXPECT_EQ(trees.LabelOf(fresh).thread, 2u);
  EXPECT_EQ(trees.At(fresh).step, 7u);
}

// A label is kept once, however many nodes have it; what it accesses tells two apart.
TEST(WakeupTrees, NodesShareLabels) {
  WakeupTrees trees;
  Id list = kNone;
  Label reads = By(1), writes = By(1);
  reads.touches = {{0, op::Access::kRead}};
  writes.touches = {{0, op::Access::kWrite}};
  const Id a = trees.Append(kRoot, 4, list, reads);
  const Id b = trees.Append(kRoot, 4, list, writes);
  const Id c = trees.AppendChild(b, reads);
  EXPECT_EQ(&trees.LabelOf(a), &trees.LabelOf(c));
  EXPECT_NE(&trees.LabelOf(a), &trees.LabelOf(b));
  EXPECT_EQ(trees.LabelOf(b).touches[0].access, op::Access::kWrite);
}

}  // namespace
}  // namespace heddle::explore
