// Vector clocks against maps, on random operations.
#include "trace/clock.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <vector>

namespace heddle::trace {
namespace {

constexpr size_t kBumpBytes = 1 << 22;

class ClockTest : public testing::Test {
 protected:
  ClockTest() {
    bump_.begin = memory_.get();
    bump_.end = bump_.begin + kBumpBytes;
    bump_.Reset();
  }
  std::unique_ptr<char[]> memory_ = std::make_unique<char[]>(kBumpBytes);
  Bump bump_;
};

TEST_F(ClockTest, NewClockKnowsNothing) {
  Clock clock;
  EXPECT_TRUE(clock.Empty());
  EXPECT_EQ(clock.At(0), 0u);
  EXPECT_EQ(clock.At(12345), 0u);
}

TEST_F(ClockTest, AssignCopiesRatherThanShares) {
  Clock a;
  a.Set(3, 7, bump_);
  Clock b;
  b.Assign(a, bump_);
  b.Set(3, 9, bump_);
  EXPECT_EQ(a.At(3), 7u);
  EXPECT_EQ(b.At(3), 9u);
  b.Assign(Clock(), bump_);
  EXPECT_TRUE(b.Empty());
  EXPECT_EQ(b.At(3), 0u);
}

TEST_F(ClockTest, JoiningAClockWithItselfChangesNothing) {
  Clock clock;
  clock.Set(5, 2, bump_);
  clock.Join(clock, bump_);
  EXPECT_EQ(clock.At(5), 2u);
  EXPECT_TRUE(clock.LessOrEqual(clock));
}

using Ticks = std::map<op::ThreadId, uint32_t>;

uint32_t At(const Ticks& ticks, op::ThreadId thread) {
  auto found = ticks.find(thread);
  return found == ticks.end() ? 0 : found->second;
}

bool LessOrEqual(const Ticks& a, const Ticks& b) {
  for (auto [thread, tick] : a)
    if (tick > At(b, thread)) return false;
  return true;
}

TEST_F(ClockTest, AgreesWithMapsOnRandomOperations) {
  const auto seed = static_cast<uint64_t>(std::random_device{}());
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  constexpr size_t kClocks = 5;
  constexpr unsigned kThreads = 40;
  for (int round = 0; round < 500; ++round) {
    bump_.Reset();
    std::vector<Clock> clocks(kClocks);
    std::vector<Ticks> ticks(kClocks);
    for (int step = 0; step < 60; ++step) {
      const size_t to = random() % kClocks;
      const size_t from = random() % kClocks;
      switch (random() % 4) {
        case 0:
        case 1: {
          const auto thread = static_cast<op::ThreadId>(random() % kThreads);
          const auto tick = static_cast<uint32_t>(random() % 100);
          clocks[to].Set(thread, tick, bump_);
          ticks[to][thread] = tick;
          break;
        }
        case 2:
          clocks[to].Join(clocks[from], bump_);
          for (auto [thread, tick] : Ticks(ticks[from]))
            ticks[to][thread] = std::max(At(ticks[to], thread), tick);
          break;
        case 3:
          if (to != from) clocks[to].Assign(clocks[from], bump_);
          ticks[to] = Ticks(ticks[from]);
          break;
      }
      for (op::ThreadId thread = 0; thread < kThreads + 5; ++thread)
        ASSERT_EQ(clocks[to].At(thread), At(ticks[to], thread));
      ASSERT_EQ(clocks[to].LessOrEqual(clocks[from]), LessOrEqual(ticks[to], ticks[from]));
    }
  }
}

}  // namespace
}  // namespace heddle::trace
