#include "runtime/objects/barrier.h"

#include <gtest/gtest.h>
#include <pthread.h>

namespace heddle::runtime {
namespace {

TEST(Barrier, IsOpenedByTheLastToArrive) {
  BarrierState barrier = NewBarrier(3);
  for (int arrived = 1; arrived <= 2; ++arrived) {
    const Answer answer = ArriveAt(barrier);
    EXPECT_EQ(answer.status, 0);
    EXPECT_FALSE(answer.opens);
    EXPECT_EQ(answer.acquires, Acquires::kNothing);
    EXPECT_FALSE(IsOver(barrier, 0));
  }
  const Answer last = ArriveAt(barrier);
  EXPECT_EQ(last.status, PTHREAD_BARRIER_SERIAL_THREAD);
  EXPECT_TRUE(last.opens);
  EXPECT_EQ(last.acquires, Acquires::kReleased);
  EXPECT_TRUE(IsOver(barrier, 0));
  EXPECT_FALSE(IsOver(barrier, 1));
}

// Who comes first forgets what was released in the round before.
TEST(Barrier, BeginsEachRoundAnew) {
  BarrierState barrier = NewBarrier(2);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(ArriveAt(barrier).releases, Releases::kAs);
    EXPECT_EQ(ArriveAt(barrier).releases, Releases::kInto);
  }
}

TEST(Barrier, OfOneIsAlwaysOpen) {
  BarrierState barrier = NewBarrier(1);
  EXPECT_TRUE(ArriveAt(barrier).opens);
  EXPECT_TRUE(ArriveAt(barrier).opens);
}

TEST(Barrier, MayNotEndWhileOthersWaitAtIt) {
  BarrierState barrier = NewBarrier(2);
  ArriveAt(barrier);
  EXPECT_EQ(DestroyBarrier(barrier).misuse, Misuse::kWaitedAt);
  EXPECT_EQ(InitialiseBarrier(barrier, 3).misuse, Misuse::kWaitedAt);
  EXPECT_EQ(barrier.needed, 2u);
  ArriveAt(barrier);
  EXPECT_EQ(DestroyBarrier(barrier).misuse, Misuse::kNone);
}

// Some may have been let go and not left yet.
TEST(Barrier, GoesOnCountingRoundsWhenInitialisedAgain) {
  BarrierState barrier = NewBarrier(1);
  ArriveAt(barrier);
  EXPECT_EQ(InitialiseBarrier(barrier, 2).misuse, Misuse::kNone);
  EXPECT_TRUE(IsOver(barrier, 0));
  EXPECT_FALSE(ArriveAt(barrier).opens);
}

}  // namespace
}  // namespace heddle::runtime
