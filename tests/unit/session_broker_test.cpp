#include "session/broker.h"

#include <gtest/gtest.h>

namespace heddle::session {
namespace {

using JobLoad = Broker::JobLoad;

constexpr JobLoad kBusy = {true, false, 0};
constexpr JobLoad kIdle = {true, true, 0};

TEST(Broker, AsksOneAtATimeAndOnlyWithoutStock) {
  Broker broker;
  const std::vector<JobLoad> jobs = {kBusy, kIdle};
  EXPECT_FALSE(broker.WhomToAsk(jobs, 1, 0));
  const auto ask = broker.WhomToAsk(jobs, 0, 0);
  ASSERT_TRUE(ask);
  EXPECT_EQ(ask->job, 0u);
  EXPECT_EQ(ask->branches, Broker::kFirstPortion);
  EXPECT_FALSE(broker.WhomToAsk(jobs, 0, 1));
  broker.Answered(2, 1);
  EXPECT_TRUE(broker.WhomToAsk(jobs, 0, 2));
  EXPECT_FALSE(Broker().WhomToAsk(std::vector<JobLoad>{kBusy, kBusy}, 0, 0)) << "nobody is idle";
}

TEST(Broker, LeavesAloneForAWhileWhoHasNothing) {
  Broker broker;
  const std::vector<JobLoad> jobs = {kBusy, kIdle};
  ASSERT_TRUE(broker.WhomToAsk(jobs, 0, 10));
  broker.Answered(0, 10);
  EXPECT_FALSE(broker.WhomToAsk(jobs, 0, 11));
  EXPECT_TRUE(broker.WhomToAsk(jobs, 0, 10 + Broker::kPoorMs));
}

TEST(Broker, AsksWhoHasBranchesNotBegunForHalfOfThem) {
  Broker broker;
  const auto ask = broker.WhomToAsk(std::vector<JobLoad>{kBusy, {true, false, 3}, kIdle}, 0, 0);
  ASSERT_TRUE(ask);
  EXPECT_EQ(ask->job, 1u);
  EXPECT_EQ(ask->branches, 2u);
}

TEST(Broker, DividesTheStockAmongTheIdle) {
  Broker broker;
  const std::vector<JobLoad> jobs = {kBusy, kIdle, kIdle};
  const auto bring = broker.WhomToBring(jobs, 5, 0);
  ASSERT_TRUE(bring);
  EXPECT_EQ(bring->job, 1u);
  EXPECT_EQ(bring->branches, 3u);
  EXPECT_FALSE(broker.WhomToBring(std::vector<JobLoad>{kBusy}, 5, 0));
  EXPECT_FALSE(broker.WhomToBring(jobs, 0, 0));
}

TEST(Broker, PortionsGrowWhileJobsComeBackSoonAndShrinkWhenTheyDoNot) {
  Broker broker;
  const std::vector<JobLoad> idle = {kIdle}, both = {kIdle, kBusy};
  uint64_t now_ms = 1;
  for (int i = 0; i < 10; ++i, now_ms += Broker::kSoonMs / 2) broker.WhomToBring(idle, 1, now_ms);
  auto ask = broker.WhomToAsk(both, 0, now_ms);
  ASSERT_TRUE(ask);
  EXPECT_EQ(ask->branches, Broker::kMostPortion);
  broker.Answered(1, now_ms);
  for (int i = 0; i < 10; ++i) broker.WhomToBring(idle, 1, now_ms += 2 * Broker::kLongMs);
  ask = broker.WhomToAsk(both, 0, now_ms);
  ASSERT_TRUE(ask);
  EXPECT_EQ(ask->branches, 1u);
}

}  // namespace
}  // namespace heddle::session
