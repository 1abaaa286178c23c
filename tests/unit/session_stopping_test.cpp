#include "session/stopping.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle::session {
namespace {

using Action = Stopping::Action;

struct Done {
  Action action;
  uint64_t after_ms;

  friend bool operator==(const Done&, const Done&) = default;
};

// What is done in 1200 ms.
std::vector<Done> Within(bool in_flight, bool to_save = false) {
  constexpr uint64_t kBegin = 5000;
  Stopping stopping;
  EXPECT_EQ(stopping.Look(in_flight, kBegin - 10), Action::kNone);  // not begun
  stopping.Begin(kBegin, to_save);
  std::vector<Done> all;
  for (uint64_t ms = 0; ms <= 1200; ms += 10) {
    const Action action = stopping.Look(in_flight, kBegin + ms);
    if (action != Action::kNone) all.push_back({action, ms});
  }
  return all;
}

TEST(Stopping, AnExecutionIsAskedThenKilledThenAll) {
  const std::vector<Done> all = Within(true);
  ASSERT_EQ(all.size(), 7u);
  for (size_t i = 0; i < 5; ++i)
    EXPECT_EQ(all[i], (Done{Action::kSignal, Stopping::kPatienceMs + i * Stopping::kAgainMs}));
  EXPECT_EQ(all[5], (Done{Action::kKillExecution, Stopping::kExecutionMs}));
  EXPECT_EQ(all[6], (Done{Action::kKill, Stopping::kAllMs}));
}

// The look in which the time is up has read the clock before.
TEST(Stopping, ALookFromBeforeItBeganDoesNothing) {
  Stopping stopping;
  stopping.Begin(1000);
  EXPECT_EQ(stopping.Look(true, 999), Action::kNone);
  EXPECT_EQ(stopping.Look(true, 1000), Action::kNone);
}

// heddle computes: there is nothing to interrupt.
TEST(Stopping, BetweenExecutionsItIsOnlyKilled) {
  EXPECT_EQ(Within(false), (std::vector<Done>{{Action::kKill, Stopping::kAllMs}}));
}

// Its execution has longer to come to its end, and all together no longer.
TEST(Stopping, OneThatIsToBeSavedIsAskedLater) {
  const std::vector<Done> all = Within(true, true);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0], (Done{Action::kSignal, Stopping::kPatienceToSaveMs}));
  EXPECT_EQ(all[2], (Done{Action::kKillExecution, Stopping::kExecutionMs}));
  EXPECT_EQ(all[3], (Done{Action::kKill, Stopping::kAllMs}));
}

TEST(Stopping, OneThatWasSavedHasTheSameTimeOnceMore) {
  Stopping stopping;
  stopping.Begin(1000, true);
  EXPECT_EQ(stopping.Look(false, 1000 + Stopping::kAllMs - 1), Action::kNone);
  stopping.Begin(10000);
  EXPECT_EQ(stopping.Look(false, 10000 + Stopping::kAllMs - 1), Action::kNone);
  EXPECT_EQ(stopping.Look(false, 10000 + Stopping::kAllMs), Action::kKill);
}

}  // namespace
}  // namespace heddle::session
