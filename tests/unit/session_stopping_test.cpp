#include "session/stopping.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle::session {
namespace {

using Action = Stopping::Action;
using Sight = Watchdog::Sight;

struct Done {
  Action action;
  uint64_t after_ms;

  friend bool operator==(const Done&, const Done&) = default;
};

// What is done in 1200 ms to a process that has `cpu_percent` of a processor.
std::vector<Done> Within(Sight sight, uint64_t cpu_percent, uint64_t until_ms = 1200) {
  constexpr uint64_t kBegin = 5000;
  Stopping stopping;
  EXPECT_EQ(stopping.Look(sight, kBegin - 10), Action::kNone);  // not begun
  stopping.Begin(sight, kBegin);
  std::vector<Done> all;
  for (uint64_t ms = 0; ms <= until_ms; ms += 10) {
    sight.cpu_ms = ms * cpu_percent / 100;
    const Action action = stopping.Look(sight, kBegin + ms);
    if (action != Action::kNone) all.push_back({action, ms});
  }
  return all;
}

TEST(Stopping, AnExecutionIsAskedThenKilledThenAll) {
  const std::vector<Done> all = Within({1, true, true, 0, false}, 100);
  ASSERT_EQ(all.size(), 9u);
  for (size_t i = 0; i < 7; ++i)
    EXPECT_EQ(all[i], (Done{Action::kSignal, Stopping::kPatienceMs + i * Stopping::kAgainMs}));
  EXPECT_EQ(all[7], (Done{Action::kKillExecution, Stopping::kExecutionMs}));
  EXPECT_EQ(all[8], (Done{Action::kKill, Stopping::kAllMs}));
}

// The look in which the time is up has read the clock before.
TEST(Stopping, ALookFromBeforeItBeganDoesNothing) {
  Stopping stopping;
  const Sight sight = {1, true, true, 0, false};
  stopping.Begin(sight, 1000);
  EXPECT_EQ(stopping.Look(sight, 999), Action::kNone);
  EXPECT_EQ(stopping.Look(sight, 1000), Action::kNone);
}

// heddle computes: there is nothing to interrupt.
TEST(Stopping, BetweenExecutionsItIsOnlyKilled) {
  EXPECT_EQ(Within({1, true, false, 0, false}, 100),
            (std::vector<Done>{{Action::kKill, Stopping::kAllMs}}));
}

// It has longer to come to where it can be saved, and after that as long as any other.
TEST(Stopping, OneThatIsToBeSavedHasMoreTime) {
  Stopping stopping;
  Sight sight = {1, true, false, 0, false};
  stopping.Begin(sight, 1000, true);
  const auto look = [&](uint64_t ms) {
    sight.cpu_ms = ms;
    return stopping.Look(sight, 1000 + ms);
  };
  EXPECT_EQ(look(Stopping::kAllToSaveMs - 1), Action::kNone);
  sight.cpu_ms = 9000;
  stopping.Begin(sight, 1000 + 9000);
  EXPECT_EQ(look(9000), Action::kNone);
  EXPECT_EQ(look(9000 + Stopping::kAllMs - 1), Action::kNone);
  EXPECT_EQ(look(9000 + Stopping::kAllMs), Action::kKill);
}

TEST(Stopping, SleepingCounts) {
  const std::vector<Done> all = Within({1, true, true, 0, true}, 0);
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.back(), (Done{Action::kKill, Stopping::kAllMs}));
}

// With a tenth of a processor it has ten times as long, and no longer than that.
TEST(Stopping, ALoadedMachineGivesMoreTime) {
  EXPECT_EQ(Within({1, true, false, 0, false}, 10), std::vector<Done>());
  EXPECT_EQ(Within({1, true, false, 0, false}, 10, 10000),
            (std::vector<Done>{{Action::kKill, Stopping::kMostMs}}));
}

}  // namespace
}  // namespace heddle::session
