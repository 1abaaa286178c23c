#include "check/finding.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace heddle::check {
namespace {

// As waitpid tells them.
constexpr int32_t KilledBy(int number) { return number; }
constexpr int32_t ExitedWith(int status) { return status << 8; }

trace::Execution Died(int32_t status) {
  trace::Execution execution;
  execution.ending.kind = trace::EndKind::kDied;
  execution.ending.status = status;
  return execution;
}

TEST(Verdict, OfAProcessThatDied) {
  Finding finding;
  ASSERT_TRUE(FindingOfEnding(Died(KilledBy(SIGSEGV)), &finding));
  EXPECT_EQ(finding.kind, channel::BugKind::kCrash);
  EXPECT_EQ(finding.status, SIGSEGV);
  ASSERT_TRUE(FindingOfEnding(Died(ExitedWith(3)), &finding));
  EXPECT_EQ(finding.kind, channel::BugKind::kExitStatus);
  EXPECT_EQ(finding.status, 3);
  EXPECT_FALSE(FindingOfEnding(Died(ExitedWith(0)), &finding));
}

TEST(Verdict, SigkillIsSomebodyElses) {
  Finding finding;
  EXPECT_FALSE(FindingOfEnding(Died(KilledBy(SIGKILL)), &finding));
  EXPECT_TRUE(KilledFromOutside(Died(KilledBy(SIGKILL)).ending));
  EXPECT_FALSE(KilledFromOutside(Died(KilledBy(SIGABRT)).ending));
  EXPECT_FALSE(KilledFromOutside(Died(ExitedWith(SIGKILL)).ending));
  // The runtime saw the call: an ending of its own.
  trace::Execution own;
  own.ending.kind = trace::EndKind::kCrash;
  own.ending.status = SIGKILL;
  EXPECT_TRUE(FindingOfEnding(own, &finding));
  EXPECT_FALSE(KilledFromOutside(own.ending));
}

}  // namespace
}  // namespace heddle::check
