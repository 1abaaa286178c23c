#include "session/watchdog.h"

#include <gtest/gtest.h>

namespace heddle::session {
namespace {

using Action = Watchdog::Action;

// Looks every 100 ms until something is to be done, at most `until_ms`.
Action Until(Watchdog& dog, const Watchdog::Sight& sight, uint64_t& now_ms, uint64_t until_ms) {
  for (; now_ms < until_ms; now_ms += 100) {
    Action action = dog.Look(sight, now_ms);
    if (action != Action::kNone) return action;
  }
  return Action::kNone;
}

TEST(Watchdog, AsksThenKills) {
  Watchdog dog(1000);
  dog.Reset(0);
  uint64_t now_ms = 0;
  Watchdog::Sight sight = {1, true, true};
  EXPECT_EQ(Until(dog, sight, now_ms, 100000), Action::kSignal);
  EXPECT_EQ(now_ms, 1000u);
  now_ms += 100;
  EXPECT_EQ(Until(dog, sight, now_ms, 100000), Action::kKill);
  EXPECT_EQ(now_ms, 1000 + Watchdog::kGraceMs);
  now_ms += 100;
  EXPECT_EQ(Until(dog, sight, now_ms, 100000), Action::kNone);  // once
}

TEST(Watchdog, ABeatingHeartIsLeftAlone) {
  Watchdog dog(1000);
  dog.Reset(0);
  for (uint64_t now_ms = 0; now_ms < 60000; now_ms += 500) {
    EXPECT_EQ(dog.Look({now_ms, true, true}, now_ms), Action::kNone);
  }
}

TEST(Watchdog, EveryStallIsAskedAnew) {
  Watchdog dog(1000);
  dog.Reset(0);
  uint64_t now_ms = 0;
  EXPECT_EQ(Until(dog, {1, true, true}, now_ms, 100000), Action::kSignal);
  now_ms += 100;
  EXPECT_EQ(Until(dog, {2, true, true}, now_ms, 100000), Action::kSignal);
  EXPECT_EQ(now_ms, 2100u);
}

TEST(Watchdog, AConstructorThatHangsIsKilledUnasked) {
  Watchdog dog(1000);
  dog.Reset(0);
  uint64_t now_ms = 0;
  EXPECT_EQ(Until(dog, {0, false, false}, now_ms, 100000), Action::kKill);
  EXPECT_EQ(now_ms, Watchdog::kStartUpMs);
}

TEST(Watchdog, WorkBetweenExecutionsMayTakeLong) {
  Watchdog dog(1000);
  dog.Reset(0);
  uint64_t now_ms = 0;
  EXPECT_EQ(Until(dog, {1, true, false}, now_ms, Watchdog::kIdleMs), Action::kNone);
  EXPECT_EQ(Until(dog, {1, true, false}, now_ms, 2 * Watchdog::kIdleMs), Action::kKill);
}

TEST(Watchdog, ZeroIsNever) {
  Watchdog dog(0);
  dog.Reset(0);
  uint64_t now_ms = 0;
  EXPECT_EQ(Until(dog, {1, true, true}, now_ms, 10000000), Action::kNone);
}

}  // namespace
}  // namespace heddle::session
