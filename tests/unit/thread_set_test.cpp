#include "op/thread_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "op/owned_thread_set.h"

namespace heddle::op {
namespace {

using Members = std::vector<ThreadId>;

template <typename Set>
Members MembersOf(const ThreadSetQueries<Set>& set) {
  Members members;
  set.ForEach([&](ThreadId thread) { members.push_back(thread); });
  return members;
}

OwnedThreadSet SetOf(uint32_t threads, const Members& members) {
  OwnedThreadSet set(threads);
  for (ThreadId thread : members) set.Add(thread);
  return set;
}

TEST(ThreadSet, WidthHasRoomForAllThreads) {
  EXPECT_EQ(WidthFor(0), 0u);
  EXPECT_EQ(WidthFor(1), 1u);
  EXPECT_EQ(WidthFor(64), 1u);
  EXPECT_EQ(WidthFor(65), 2u);
  EXPECT_EQ(WidthFor(0xffffffff), 0x4000000u);
}

TEST(ThreadSet, NobodyIsInTheEmptySet) {
  const ThreadSet none;
  EXPECT_TRUE(none.Empty());
  EXPECT_FALSE(none.Has(0));
  EXPECT_FALSE(none.Has(kNoThread));
  EXPECT_EQ(none.Count(), 0u);
  EXPECT_EQ(none.First(), kNoThread);
  EXPECT_EQ(none.NextAfter(0), kNoThread);
  EXPECT_EQ(none.NextAfter(kNoThread), kNoThread);
  EXPECT_TRUE(none == SetOf(100, {}));
}

TEST(ThreadSet, BeyondTheWidthIsNobody) {
  const OwnedThreadSet set = SetOf(64, {63});
  EXPECT_TRUE(set.Has(63));
  EXPECT_FALSE(set.Has(64));
  EXPECT_FALSE(set.Has(63 + 64));
  EXPECT_FALSE(set.Has(kNoThread));
  EXPECT_EQ(set.NextAfter(1000), 63u);
}

TEST(ThreadSet, NextAfterGoesRound) {
  const OwnedThreadSet set = SetOf(200, {3, 63, 64, 130});
  EXPECT_EQ(set.NextAfter(kNoThread), 3u);
  EXPECT_EQ(set.NextAfter(0), 3u);
  EXPECT_EQ(set.NextAfter(3), 63u);
  EXPECT_EQ(set.NextAfter(63), 64u);
  EXPECT_EQ(set.NextAfter(64), 130u);
  EXPECT_EQ(set.NextAfter(130), 3u);
  EXPECT_EQ(set.NextAfter(199), 3u);
  EXPECT_EQ(SetOf(200, {70}).NextAfter(70), 70u);
}

TEST(ThreadSet, VisitMayRemoveTheMember) {
  std::vector<uint64_t> words = {0xf0, 0x1};
  ThreadSetRef set(words);
  set.ForEach([&](ThreadId thread) {
    if (thread != 5) set.Remove(thread);
  });
  EXPECT_EQ(MembersOf(set), Members{5});
}

TEST(ThreadSet, TakesMembersAscending) {
  std::vector<uint64_t> words(3);
  ThreadSetRef set(words);
  for (ThreadId thread : {150u, 2u, 64u}) set.Add(thread);
  EXPECT_EQ(set.TakeFirst(), 2u);
  EXPECT_EQ(set.TakeFirst(), 64u);
  EXPECT_EQ(set.TakeFirst(), 150u);
  EXPECT_TRUE(set.Empty());
}

TEST(ThreadSet, OperandsMayDifferInWidth) {
  const OwnedThreadSet narrow = SetOf(64, {1, 2});
  const OwnedThreadSet wide = SetOf(192, {2, 3, 140});
  EXPECT_EQ(MembersOf(narrow | wide), (Members{1, 2, 3, 140}));
  EXPECT_EQ(MembersOf(wide | narrow), (Members{1, 2, 3, 140}));
  EXPECT_EQ(MembersOf(narrow & wide), Members{2});
  EXPECT_EQ(MembersOf(wide & narrow), Members{2});
  EXPECT_EQ(MembersOf(narrow - wide), Members{1});
  EXPECT_EQ(MembersOf(wide - narrow), (Members{3, 140}));
  EXPECT_EQ(MembersOf(wide - OnlyThread(140)), (Members{2, 3}));
  EXPECT_EQ(MembersOf(OnlyThread(140) - narrow), Members{140});
  EXPECT_EQ(MembersOf(wide - ThreadSet()), (Members{2, 3, 140}));
  EXPECT_TRUE(narrow == SetOf(192, {1, 2}));
  EXPECT_TRUE(SetOf(192, {1, 2}) == narrow);
  EXPECT_FALSE(narrow == SetOf(192, {1, 2, 140}));
}

TEST(ThreadSet, FixedOneIsEmptyOfWhatItHadAfterReset) {
  static FixedThreadSet<256> set;  // all zero
  EXPECT_EQ(set.Width(), 0u);
  set.Reset(200);
  EXPECT_EQ(set.Width(), 4u);
  set.Add(7);
  set.Add(199);
  set.Reset(60);
  EXPECT_EQ(set.Width(), 1u);
  EXPECT_FALSE(set.Has(7));
  EXPECT_FALSE(set.Has(199));
  set.Add(59);
  set.Widen(200);
  EXPECT_EQ(set.Width(), 4u);
  EXPECT_EQ(MembersOf(set), Members{59});
  set.Widen(10);
  EXPECT_EQ(set.Width(), 4u);
  EXPECT_EQ(MembersOf(set - OnlyThread(59)), Members{});
}

// Everything else against std::set.
TEST(ThreadSet, AnswersAsAStandardSetDoes) {
  std::mt19937 random(8);
  for (int round = 0; round < 500; ++round) {
    const uint32_t threads = 1 + random() % 200;
    OwnedThreadSet a(threads);
    OwnedThreadSet b(threads);
    std::set<ThreadId> in_a;
    std::set<ThreadId> in_b;
    for (uint32_t n = random() % 20; n > 0; --n) in_a.insert(random() % threads);
    for (uint32_t n = random() % 20; n > 0; --n) in_b.insert(random() % threads);
    for (ThreadId thread : in_a) a.Add(thread);
    for (ThreadId thread : in_b) b.Add(thread);
    std::set<ThreadId> both = in_a;
    both.insert(in_b.begin(), in_b.end());
    std::set<ThreadId> left;
    std::ranges::set_difference(in_a, in_b, std::inserter(left, left.end()));
    std::set<ThreadId> shared;
    std::ranges::set_intersection(in_a, in_b, std::inserter(shared, shared.end()));
    ASSERT_EQ(MembersOf(a & b), Members(shared.begin(), shared.end()));
    const Members united(both.begin(), both.end());
    ASSERT_EQ(MembersOf(a | b), united);
    ASSERT_EQ(MembersOf(a - b), Members(left.begin(), left.end()));
    ASSERT_EQ((a | b).Count(), united.size());
    ASSERT_EQ((a - b).Empty(), left.empty());
    ASSERT_EQ((a - b).First(), left.empty() ? kNoThread : *left.begin());
    ASSERT_EQ(a == b, in_a == in_b);
    for (uint32_t n = 0; n < united.size(); ++n) ASSERT_EQ((a | b).Nth(n), united[n]);
    for (ThreadId thread = 0; thread < threads; ++thread) {
      ASSERT_EQ(a.Has(thread), in_a.contains(thread));
      auto next = left.upper_bound(thread);
      if (next == left.end()) next = left.begin();
      ASSERT_EQ((a - b).NextAfter(thread), left.empty() ? kNoThread : *next);
    }
    std::vector<uint64_t> copy(a.Width());
    a.CopyTo(copy.data());
    ASSERT_TRUE(ThreadSet(copy) == a);
  }
}

}  // namespace
}  // namespace heddle::op
