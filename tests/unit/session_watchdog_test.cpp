#include "session/watchdog.h"

#include <gtest/gtest.h>

namespace heddle::session {
namespace {

using Action = Watchdog::Action;

// Looks every 100 ms at a process that has the processor all the time, until something is to be
// done, at most `until_ms`.
Action Until(Watchdog& dog, Watchdog::Sample sample, uint64_t& now_ms, uint64_t until_ms) {
  for (; now_ms < until_ms; now_ms += 100) {
    sample.cpu_ms = now_ms;
    Action action = dog.Look(sample, now_ms);
    if (action != Action::kNone) return action;
  }
  return Action::kNone;
}

TEST(Watchdog, AsksThenKills) {
  Watchdog dog(1000);
  dog.Reset(0);
  uint64_t now_ms = 0;
  Watchdog::Sample sample = {1, true, true, 0, false};
  EXPECT_EQ(Until(dog, sample, now_ms, 100000), Action::kSignal);
  EXPECT_EQ(now_ms, 1000u);
  for (int again = 1; again <= 3; ++again) {
    now_ms += 100;
    EXPECT_EQ(Until(dog, sample, now_ms, 100000), Action::kSignal);
    EXPECT_EQ(now_ms, 1000 + again * Watchdog::kAgainMs);
  }
  now_ms += 100;
  EXPECT_EQ(Until(dog, sample, now_ms, 100000), Action::kKill);
  EXPECT_EQ(now_ms, 1000 + Watchdog::kGraceMs);
  now_ms += 100;
  EXPECT_EQ(Until(dog, sample, now_ms, 100000), Action::kNone);  // once
}

TEST(Watchdog, ABeatingHeartIsLeftAlone) {
  Watchdog dog(1000);
  dog.Reset(0);
  for (uint64_t now_ms = 0; now_ms < 60000; now_ms += 500) {
    EXPECT_EQ(dog.Look({now_ms, true, true, now_ms, false}, now_ms), Action::kNone);
  }
}

TEST(Watchdog, EveryStallIsAskedAnew) {
  Watchdog dog(1000);
  dog.Reset(0);
  uint64_t now_ms = 0;
  EXPECT_EQ(Until(dog, {1, true, true, 0, false}, now_ms, 100000), Action::kSignal);
  now_ms += 100;
  EXPECT_EQ(Until(dog, {2, true, true, 0, false}, now_ms, 100000), Action::kSignal);
  EXPECT_EQ(now_ms, 2100u);
}

TEST(Watchdog, AConstructorThatHangsIsKilledUnasked) {
  Watchdog dog(1000);
  dog.Reset(0);
  uint64_t now_ms = 0;
  EXPECT_EQ(Until(dog, {0, false, false, 0, false}, now_ms, 100000), Action::kKill);
  EXPECT_EQ(now_ms, Watchdog::kStartUpMs);
}

TEST(Watchdog, WorkBetweenExecutionsMayTakeLong) {
  Watchdog dog(1000);
  dog.Reset(0);
  uint64_t now_ms = 0;
  EXPECT_EQ(Until(dog, {1, true, false, 0, false}, now_ms, Watchdog::kIdleMs), Action::kNone);
  EXPECT_EQ(Until(dog, {1, true, false, 0, false}, now_ms, 2 * Watchdog::kIdleMs), Action::kKill);
}

// A loaded machine: the program is ready to run, and gets a tenth of a processor.
TEST(Watchdog, WaitingForAProcessorDoesNotCount) {
  Watchdog dog(1000);
  dog.Reset(0);
  for (uint64_t now_ms = 0; now_ms < 10000; now_ms += 100) {
    EXPECT_EQ(dog.Look({1, true, true, now_ms / 10, false}, now_ms), Action::kNone);
  }
  EXPECT_EQ(dog.Look({1, true, true, 1000, false}, 10000), Action::kSignal);
}

TEST(Watchdog, SleepingInASystemCallCounts) {
  Watchdog dog(1000);
  dog.Reset(0);
  uint64_t now_ms = 0;
  while (dog.Look({1, true, true, 7, true}, now_ms) == Action::kNone) now_ms += 100;
  EXPECT_EQ(now_ms, 1000u);
}

// It sleeps whenever somebody looks, but works in between.
TEST(Watchdog, AsleepByChanceIsNotAsleep) {
  Watchdog dog(1000);
  dog.Reset(0);
  for (uint64_t now_ms = 0; now_ms < 4000; now_ms += 100) {
    EXPECT_EQ(dog.Look({1, true, true, now_ms / 5, true}, now_ms), Action::kNone);
  }
}

// The supervisor did not run for a minute: what it did not see does not count.
TEST(Watchdog, ALongTimeWithoutALookCountsLittle) {
  Watchdog dog(1000);
  dog.Reset(0);
  EXPECT_EQ(dog.Look({1, true, true, 0, true}, 100), Action::kNone);
  EXPECT_EQ(dog.Look({1, true, true, 0, true}, 60000), Action::kNone);
}

TEST(Watchdog, ZeroIsNever) {
  Watchdog dog(0);
  dog.Reset(0);
  uint64_t now_ms = 0;
  EXPECT_EQ(Until(dog, {1, true, true, 0, false}, now_ms, 10000000), Action::kNone);
}

}  // namespace
}  // namespace heddle::session
