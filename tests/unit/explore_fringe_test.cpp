#include "explore/best/fringe.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "base/hash.h"
#include "unit/fake_disk.h"

namespace heddle::explore {
namespace {

using Entry = Fringe::Entry;

constexpr uint64_t kSpillAt = 1000;  // somebody else's before
constexpr uint64_t kAlways = UINT64_MAX;

Entry Number(uint32_t i) { return {i + 1, i * 3, i * 7}; }

TEST(Fringe, BestFirstAndLastInFirstOutAmongEquals) {
  Fringe fringe(kSpillAt);
  fringe.Push(2, Number(0), kAlways, nullptr);
  fringe.Push(1, Number(1), kAlways, nullptr);
  fringe.Push(2, Number(2), kAlways, nullptr);
  fringe.Push(1, Number(3), kAlways, nullptr);
  EXPECT_EQ(fringe.PopWorst(nullptr), Number(0));
  EXPECT_EQ(fringe.Pop(nullptr), Number(3));
  EXPECT_EQ(fringe.Pop(nullptr), Number(1));
  EXPECT_EQ(fringe.Pop(nullptr), Number(2));
  EXPECT_EQ(fringe.Pop(nullptr), std::nullopt);
  EXPECT_EQ(fringe.PopWorst(nullptr), std::nullopt);
}

// Pushes and pops by chance, with `limit` bytes of memory: what comes out has the best priority
// that there is, and everything comes out once.
void PushAndPop(uint64_t limit, FakeDisk* disk, uint32_t priorities) {
  Fringe fringe(kSpillAt);
  std::map<uint64_t, uint64_t> model;  // how many of each priority
  std::vector<uint64_t> priority_of;
  std::vector<bool> out;
  uint64_t random = 11;
  const auto pop = [&] {
    const auto entry = fringe.Pop(disk);
    ASSERT_EQ(entry.has_value(), !model.empty());
    if (!entry) return;
    const uint32_t number = entry->execution - 1;
    ASSERT_LT(number, out.size());
    EXPECT_EQ(*entry, Number(number));
    EXPECT_FALSE(out[number]) << "twice";
    out[number] = true;
    ASSERT_EQ(priority_of[number], model.begin()->first) << "not the best";
    if (--model.begin()->second == 0) model.erase(model.begin());
  };
  for (uint32_t i = 0; i < 200'000; ++i) {
    const bool growing = i % 80'000 < 50'000;
    if (base::NextBelow(random, 10) < (growing ? 9u : 2u)) {
      const uint64_t priority = base::NextBelow(random, priorities);
      fringe.Push(priority, Number(static_cast<uint32_t>(out.size())), limit, disk);
      priority_of.push_back(priority);
      out.push_back(false);
      ++model[priority];
    } else {
      pop();
    }
    if (::testing::Test::HasFatalFailure()) return;
  }
  while (!model.empty() && !::testing::Test::HasFatalFailure()) pop();
  EXPECT_EQ(fringe.Count(), 0u);
  EXPECT_EQ(fringe.Pop(disk), std::nullopt);
  EXPECT_FALSE(fringe.Lost());
  for (const bool each : out) ASSERT_TRUE(each);
}

TEST(Fringe, NothingIsLostOnTheWayToDiskAndBack) {
  for (const uint32_t priorities : {1u, 5u, 60'000u}) {
    FakeDisk disk(kSpillAt, SIZE_MAX);
    PushAndPop(100'000, &disk, priorities);
    EXPECT_GT(disk.Size(), 0u) << "nothing was written";
  }
}

TEST(Fringe, StaysInMemoryWithoutADisk) { PushAndPop(1000, nullptr, 50); }

TEST(Fringe, StaysInMemoryWhenTheDiskIsFull) {
  for (const size_t capacity : {size_t{0}, size_t{300'000}}) {
    FakeDisk disk(kSpillAt, capacity);
    PushAndPop(100'000, &disk, 50);
  }
}

TEST(Fringe, MemoryIsLimited) {
  FakeDisk disk(kSpillAt, SIZE_MAX);
  Fringe fringe(kSpillAt);
  for (uint32_t i = 0; i < 1'000'000; ++i) {
    fringe.Push(i % 3, Number(i), 1'000'000, &disk);
    ASSERT_LE(fringe.MemoryBytes(), 1'000'100u);
  }
  EXPECT_EQ(fringe.Count(), 1'000'000u);
  EXPECT_GT(fringe.SpilledBytes(), 20'000'000u);
  while (fringe.Pop(&disk)) {
  }
  for (uint32_t i = 0; i < 1'000'000; ++i) fringe.Push(i % 3, Number(i), 1'000'000, &disk);
  EXPECT_LT(fringe.SpilledBytes(), 30'000'000u) << "places on the disk are not used again";
}

TEST(Fringe, TellsThatSomethingIsLost) {
  FakeDisk disk(kSpillAt, SIZE_MAX);
  Fringe fringe(kSpillAt);
  for (uint32_t i = 0; i < 100'000; ++i) fringe.Push(i % 3, Number(i), 100'000, &disk);
  disk.broken = true;
  uint64_t out = 0;
  while (fringe.Pop(&disk)) ++out;
  EXPECT_LT(out, 100'000u);
  EXPECT_TRUE(fringe.Lost());
}

}  // namespace
}  // namespace heddle::explore
