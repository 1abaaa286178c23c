// Reversible races (explore/order/races.cpp) of executions small enough to draw. A drawing has a
// column for each thread and a line for each step, numbered as in the execution; time goes down.
#include <gtest/gtest.h>

#include <vector>

#include "execution_by_hand.h"

namespace heddle::explore {
namespace {

using op::Access;
using op::Kind;

constexpr uint32_t kA = 0;  // objects
constexpr uint32_t kB = 1;

std::vector<StepIndex> StepsOf(const std::vector<StepGraph::Race>& races) {
  std::vector<StepIndex> steps;
  for (const StepGraph::Race& race : races) steps.push_back(race.j);
  return steps;
}

using Steps = std::vector<StepIndex>;

class Races : public testing::Test {
 protected:
  Races() : hand_(3) {}
  std::vector<StepGraph::Race> Of(StepIndex i) {
    graph_.Truncate(0);
    graph_.Extend(hand_.Get());
    return RacesOf(graph_, i);
  }
  // Of an operation that `thread` stands before at the end.
  std::vector<StepGraph::Race> OfPending(op::ThreadId thread, Kind kind, uint32_t object) {
    graph_.Truncate(0);
    graph_.Extend(hand_.Get());
    const StepGraph::Attempt attempt = {.thread = thread,
                                        .kind = kind,
                                        .timed = false,
                                        .touch = {object, op::Info(kind).access},
                                        .expected = 0,
                                        .all = {},
                                        .operation = 0,
                                        .base = graph_.BaseOf(thread),
                                        .before = graph_.Size()};
    std::vector<StepGraph::Race> races;
    graph_.FindRaces(attempt, races);
    return races;
  }
  ByHand hand_;
  StepGraph graph_;
};

//   T0            T1
//   1 store A
//   2 store A
//                 3 store A
TEST_F(Races, AreWithTheLatestDependentStep) {
  hand_.Store(0, kA);
  hand_.Store(0, kA);
  hand_.Store(1, kA);
  EXPECT_EQ(StepsOf(Of(3)), (Steps{2}));
  EXPECT_EQ(StepsOf(Of(2)), Steps{});
}

//   T0            T1
//   1 store A
//   2 store B
//                 3 load B
//                 4 load A       after 1, by way of B: the two cannot be exchanged alone
TEST_F(Races, NotWithWhatComesFirstAnyway) {
  hand_.Store(0, kA);
  hand_.Store(0, kB);
  hand_.Load(1, kB);
  hand_.Load(1, kA);
  EXPECT_EQ(StepsOf(Of(3)), (Steps{2}));
  EXPECT_EQ(StepsOf(Of(4)), Steps{});
}

//   T0            T1
//   1 store A, and lets T1 go
//                 2 store A
TEST_F(Races, NotWithWhatLetTheThreadGo) {
  hand_.Store(0, kA);
  hand_.Release(1);
  hand_.Store(1, kA);
  EXPECT_EQ(StepsOf(Of(2)), Steps{});
  EXPECT_TRUE(graph_.HappensBefore(1, 2));
}

//   T0            T1            T2
//   1 store A
//                 2 load A
//                               3 load A      commutes with 2
TEST_F(Races, OfAReadAreBehindTheReadsBeforeIt) {
  hand_.Store(0, kA);
  hand_.Load(1, kA);
  hand_.Load(2, kA);
  EXPECT_EQ(StepsOf(Of(3)), (Steps{1}));
}

//   T0            T1            T2
//   1 load A
//                 2 load A
//                               3 store A
TEST_F(Races, OfAWriteAreWithEachOfTheReadsBeforeIt) {
  hand_.Load(0, kA);
  hand_.Load(1, kA);
  hand_.Store(2, kA);
  const auto races = Of(3);
  EXPECT_EQ(StepsOf(races), (Steps{2, 1}));
  for (const StepGraph::Race& race : races) EXPECT_FALSE(race.after_write);
}

//   T0            T1
//   1 lock
//   2 unlock                     the lock waited for it
//                 3 lock         could have come before 1, never between
TEST_F(Races, OfALockAreWithTheLockBeforeTheUnlock) {
  hand_.Step(0, Kind::kMutexLock, Access::kWrite, {{kA, 0}});
  hand_.Step(0, Kind::kMutexUnlock, Access::kWrite, {{kA, 1}});
  hand_.Step(1, Kind::kMutexLock, Access::kWrite, {{kA, 0}});
  EXPECT_EQ(StepsOf(Of(3)), (Steps{1}));
}

//   T0            T1
//   1 lock
//   2 unlock
//                 3 trylock      can be tried between 1 and 2, where it fails: it only reads
TEST_F(Races, OfATrylockAreWithTheUnlock) {
  hand_.Step(0, Kind::kMutexLock, Access::kWrite, {{kA, 0}});
  hand_.Step(0, Kind::kMutexUnlock, Access::kWrite, {{kA, 1}});
  hand_.Step(1, Kind::kMutexTryLock, Access::kWrite, {{kA, 0}});
  const auto races = Of(3);
  ASSERT_EQ(StepsOf(races), (Steps{2}));
  EXPECT_EQ(races[0].access, Access::kRead);
}

// The same of a lock with a time limit, which times out there.
TEST_F(Races, OfALockWithATimeLimitAreWithTheUnlock) {
  hand_.Step(0, Kind::kMutexLock, Access::kWrite, {{kA, 0}});
  hand_.Step(0, Kind::kMutexUnlock, Access::kWrite, {{kA, 1}});
  hand_.Step(1, Kind::kMutexTimedLock, Access::kWrite, {{kA, 0}}, op::kTimed);
  const auto races = Of(3);
  ASSERT_EQ(StepsOf(races), (Steps{2}));
  EXPECT_EQ(races[0].access, Access::kRead);
}

//   T0            T1
//   1 lock
//                 2 trylock      fails; before 1 it succeeds, and writes
TEST_F(Races, AnAttemptThatFailedMaySucceedEarlier) {
  hand_.Step(0, Kind::kMutexLock, Access::kWrite, {{kA, 0}});
  hand_.Step(1, Kind::kMutexTryLock, Access::kRead, {{kA, 1}});
  const auto races = Of(2);
  ASSERT_EQ(StepsOf(races), (Steps{1}));
  EXPECT_EQ(races[0].access, Access::kWrite);
  EXPECT_TRUE(races[0].after_write);
}

//   T0            T1
//   1 post
//                 2 wait         takes that permit, and there is no other
TEST_F(Races, OfAWaitAreNotWithTheOnlyPost) {
  hand_.Step(0, Kind::kSemPost, Access::kShared, {{kA, 0}});
  hand_.Step(1, Kind::kSemWait, Access::kWrite, {{kA, 1}});
  EXPECT_EQ(StepsOf(Of(2)), Steps{});
}

//   T0            T1            T2
//   1 post
//                 2 post
//                               3 wait         one permit is enough: either post may come later
TEST_F(Races, OfAWaitAreWithEachPostThatItCanDoWithout) {
  hand_.Step(0, Kind::kSemPost, Access::kShared, {{kA, 0}});
  hand_.Step(1, Kind::kSemPost, Access::kShared, {{kA, 1}});
  hand_.Step(2, Kind::kSemWait, Access::kWrite, {{kA, 2}});
  EXPECT_EQ(StepsOf(Of(3)), (Steps{2, 1}));
}

//   T0            T1
//   1 read lock
//   2 unlock
//                 3 write lock   not between 1 and 2, though these two commute with others' readers
TEST_F(Races, OfAWriterAreWithTheReadersLock) {
  hand_.Step(0, Kind::kRwReadLock, Access::kShared, {{kA, 0}});
  hand_.Step(0, Kind::kRwUnlock, Access::kShared, {{kA, 1}});
  hand_.Step(1, Kind::kRwWriteLock, Access::kWrite, {{kA, 0}});
  EXPECT_EQ(StepsOf(Of(3)), (Steps{1}));
}

//   T0            T1            T2
//   1 read lock
//                 2 read lock
//                               (write lock)   blocked for good: enabled before both readers only
TEST_F(Races, OfABlockedWriterAreWithAllReadersAtOnce) {
  hand_.Step(0, Kind::kRwReadLock, Access::kShared, {{kA, 0}});
  hand_.Step(1, Kind::kRwReadLock, Access::kShared, {{kA, 1}});
  const auto races = OfPending(2, Kind::kRwWriteLock, kA);
  ASSERT_EQ(StepsOf(races), (Steps{1}));
  EXPECT_TRUE(races[0].whole_group);
}

//   T0            T1
//   1 lock A
//                 2 lock B
//   (lock B)      (lock A)       a deadlock: each could have had the other's mutex first
TEST_F(Races, OfBlockedLocksAreWithTheLocksThatBlockThem) {
  hand_.Step(0, Kind::kMutexLock, Access::kWrite, {{kA, 0}});
  hand_.Step(1, Kind::kMutexLock, Access::kWrite, {{kB, 0}});
  EXPECT_EQ(StepsOf(OfPending(0, Kind::kMutexLock, kB)), (Steps{2}));
  EXPECT_EQ(StepsOf(OfPending(1, Kind::kMutexLock, kA)), (Steps{1}));
}

//   T0            T1
//   1 store A (5 instead of 0)
//                 2 compare-exchange A, 0    fails; before 1 it succeeds
TEST_F(Races, ACompareExchangeThatFailedMaySucceedEarlier) {
  hand_.Step(0, Kind::kAtomicStore, Access::kWrite, {{kA, 0}});
  hand_.Step(1, Kind::kAtomicCompareExchange, Access::kRead, {{kA, 5, 0}});
  auto races = Of(2);
  ASSERT_EQ(StepsOf(races), (Steps{1}));
  EXPECT_EQ(races[0].access, Access::kWrite);
}

}  // namespace
}  // namespace heddle::explore
