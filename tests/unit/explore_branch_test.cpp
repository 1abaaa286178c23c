// A branch as bytes: what is read is what was written, or nothing.
#include "explore/branch.h"

#include <gtest/gtest.h>

namespace heddle::explore {
namespace {

Branch Example() {
  Label asleep;
  asleep.thread = 300;
  asleep.alone = true;
  asleep.touches = {{7, op::Access::kWrite}, {1u << 31, op::Access::kShared}};
  asleep.options = {{300, 2}};
  Label next;
  next.thread = op::kNoThread;
  next.covers = false;
  next.vain = next.ends = next.unknown = next.open = true;
  Branch branch;
  branch.deviations = {{0, 3}, {1u << 20, 1}};
  branch.cost = 2;
  branch.node = 4;
  branch.script = {0, 1, 0};
  branch.options = {{1, 0}, {0, 5}};
  branch.asleep = {asleep};
  branch.begun = {next, asleep};
  branch.stale = {asleep};
  branch.next = {next};
  return branch;
}

TEST(BranchTest, ComesBackAsItWas) {
  EXPECT_EQ(LoadBranch(Save(Example())), Example());
  EXPECT_EQ(LoadBranch(Save(Branch())), Branch());
}

TEST(BranchTest, CutShortIsNone) {
  const std::vector<uint8_t> bytes = Save(Example());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(LoadBranch(std::span(bytes).first(size))) << size;
  }
}

TEST(BranchTest, ChangedIsNone) {
  std::vector<uint8_t> bytes = Save(Example());
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    EXPECT_FALSE(LoadBranch(bytes)) << bit;
    bytes[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
  }
}

TEST(BranchTest, LongerIsNone) {
  std::vector<uint8_t> bytes = Save(Example());
  bytes.push_back(0);
  EXPECT_FALSE(LoadBranch(bytes));
}

}  // namespace
}  // namespace heddle::explore
