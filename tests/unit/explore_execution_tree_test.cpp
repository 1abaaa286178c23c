// The execution tree: what it holds follows the work that is left.
#include "explore/execution_tree.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle::explore {
namespace {

using Id = ExecutionTree::Id;

TEST(ExecutionTree, NodeIsSixteenBytes) { EXPECT_EQ(sizeof(ExecutionTree::Node), 16u); }

//   root - a - b - c
//            \ d
TEST(ExecutionTree, NodeWithNothingLeftFreesItselfAndChildlessAncestors) {
  ExecutionTree tree;
  const Id a = tree.Add(ExecutionTree::kRoot, 3, 1);
  const Id b = tree.Add(a, 5, 0);
  const Id c = tree.Add(b, 9, 2);
  const Id d = tree.Add(a, 7, 2);
  EXPECT_EQ(tree.At(c).parent, b);
  EXPECT_EQ(tree.At(c).step, 9u);
  EXPECT_EQ(tree.At(c).option, 2u);
  EXPECT_EQ(tree.Size(), 4u);

  std::vector<Id> freed;
  const auto note = [&](Id id) { freed.push_back(id); };
  tree.Drop(a, note);  // explored: two children are left
  tree.Drop(b, note);
  EXPECT_TRUE(freed.empty());
  tree.Drop(c, note);  // takes its parent with it, but not a, which has d
  EXPECT_EQ(freed, (std::vector<Id>{c, b}));
  freed.clear();
  tree.Drop(d, note);
  EXPECT_EQ(freed, (std::vector<Id>{d, a}));
  EXPECT_EQ(tree.Size(), 0u);
  EXPECT_EQ(tree.Peak(), 4u);
}

TEST(ExecutionTree, NumbersAreUsedAgain) {
  ExecutionTree tree;
  const Id a = tree.Add(ExecutionTree::kRoot, 1, 1);
  tree.Drop(a);
  EXPECT_EQ(tree.Add(ExecutionTree::kRoot, 2, 2), a);
  EXPECT_EQ(tree.At(a).step, 2u);
  EXPECT_EQ(tree.Peak(), 1u);
}

}  // namespace
}  // namespace heddle::explore
