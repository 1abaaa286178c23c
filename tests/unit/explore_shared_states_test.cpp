// The table of states of several searches (explore/hb/shared_states.h).
#include "explore/hb/shared_states.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "base/hash.h"

namespace heddle::explore {
namespace {

struct alignas(64) Line {
  char bytes[64];
};

struct Memory {
  explicit Memory(size_t bytes) : lines(bytes / sizeof(Line)) {}
  SharedMemory All() { return {lines.data(), lines.size() * sizeof(Line)}; }
  std::vector<Line> lines;
};

TEST(SharedStatesTest, KeepsWhatIsChanged) {
  Memory memory(size_t{1} << 20);
  SharedStates one(memory.All()), other(memory.All());
  EXPECT_EQ(one.Get(7).hash, 0u);
  one.Edit(7, [](StateEntry& entry) { entry.closed = 5; });
  EXPECT_EQ(other.Get(7).hash, 7u);
  EXPECT_EQ(other.Get(7).closed, 5u);
  EXPECT_EQ(other.Edit(7, [](StateEntry& entry) { return entry.closed |= 8; }), 13u);
  EXPECT_GE(one.Size(), 1u);
  other.Clear();
  EXPECT_EQ(one.Get(7).hash, 0u);
  EXPECT_EQ(one.Size(), 0u);
}

TEST(SharedStatesTest, WhatHoldsForOneBoundIsForgottenWithTheNext) {
  StateEntry entry;
  entry.BeginEpoch(1);
  entry.closed = entry.begun = 3;
  entry.forever = 4;
  entry.in_table = entry.in_table_forever = entry.claimed = entry.left = true;
  entry.BeginEpoch(1);
  EXPECT_EQ(entry.Closed(), 7u);
  entry.BeginEpoch(2);
  EXPECT_EQ(entry.Closed(), 4u);
  EXPECT_EQ(entry.begun, 0u);
  EXPECT_FALSE(entry.in_table || entry.claimed || entry.left);
  EXPECT_TRUE(entry.in_table_forever);
}

TEST(SharedStatesTest, GrowsUntilThereIsNoRoom) {
  Memory memory(size_t{4} << 20);
  SharedStates states(memory.All());
  uint32_t kept = 0;
  for (uint32_t i = 1; !states.IsFull(); ++i, ++kept)
    states.Edit(base::Spread(i), [&](StateEntry& entry) { entry.less = i; });
  EXPECT_GT(kept, 30'000u);  // 4 MiB by 90 bytes, and what parts have not used
  for (uint32_t i = 1; i < kept; ++i) ASSERT_EQ(states.Get(base::Spread(i)).less, i);
  // What is there can be changed, what is not is lost.
  states.Edit(base::Spread(1), [](StateEntry& entry) { entry.less = 77; });
  EXPECT_EQ(states.Get(base::Spread(1)).less, 77u);
}

TEST(SharedStatesTest, ChangesOfSeveralAreMadeAtOnce) {
  constexpr uint32_t kJobs = 4, kStates = 3000, kRounds = 20;
  Memory memory(size_t{8} << 20);
  std::vector<uint32_t> first(kJobs);  // how often this one was it
  std::atomic<uint32_t> torn = 0;
  std::vector<std::thread> threads;
  for (uint32_t job = 0; job < kJobs; ++job) {
    threads.emplace_back([&, job] {
      SharedStates states(memory.All());
      for (uint32_t round = 0; round < kRounds; ++round) {
        for (uint32_t i = 1; i <= kStates; ++i) {
          first[job] += states.Edit(base::Spread(i), [&](StateEntry& entry) {
            ++entry.less;
            entry.begun = 3 * entry.less;
            const bool was = entry.claimed;
            entry.claimed = true;
            return was ? 0u : 1u;
          });
          const StateEntry seen = states.Get(base::Spread(i));
          if (seen.begun != 3 * seen.less || seen.less <= round) ++torn;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(torn, 0u);
  const SharedStates states(memory.All());
  EXPECT_GE(states.Size(), kStates);
  uint32_t claimed = 0;
  for (const uint32_t of_one : first) claimed += of_one;
  EXPECT_EQ(claimed, kStates);
  for (uint32_t i = 1; i <= kStates; ++i)
    ASSERT_EQ(states.Get(base::Spread(i)).less, kJobs * kRounds);
}

}  // namespace
}  // namespace heddle::explore
