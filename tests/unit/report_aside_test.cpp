#include "report/aside.h"

#include <gtest/gtest.h>

#include <string>

#include "op/operation.h"
#include "report/allocated_type.h"

namespace heddle::report {
namespace {

using channel::StepRecord;
using op::Kind;

StepRecord At(uint32_t thread, Kind kind, uint64_t object, uint32_t flags = 0) {
  StepRecord step = {};
  step.thread = thread;
  step.op_kind = static_cast<uint8_t>(kind);
  step.object = object;
  step.other = op::kNoThread;
  step.flags = flags;
  return step;
}

StepRecord Create(uint32_t thread) {
  StepRecord step = At(0, Kind::kThreadCreate, 0);
  step.other = thread;
  return step;
}

StepRecord Failing(uint32_t thread) { return At(thread, Kind::kHook, 0, channel::kStepEnding); }

// One character a step: does it matter?
std::string Matters(const std::vector<StepRecord>& steps) {
  std::string text;
  for (const bool matters : StepsThatMatter(steps)) text += matters ? 'x' : '.';
  return text;
}

constexpr uint64_t kX = 0x100, kY = 0x200, kM = 0x300;

TEST(Aside, WhatAnotherThreadReadsMatters) {
  EXPECT_EQ(Matters({Create(1), At(1, Kind::kAtomicStore, kX), At(1, Kind::kAtomicStore, kY),
                     At(0, Kind::kAtomicLoad, kX), Failing(0)}),
            "xx.xx");
}

// What T1 has done behind its last influence is not in the past of main.
TEST(Aside, WhatComesTooLateDoesNot) {
  EXPECT_EQ(Matters({Create(1), At(1, Kind::kAtomicStore, kX), At(0, Kind::kAtomicLoad, kX),
                     At(1, Kind::kAtomicLoad, kY), At(1, Kind::kAtomicStore, kX), Failing(0)}),
            "xxx..x");
}

// A thread that nobody has heard of, and its creation.
TEST(Aside, AThreadWithoutInfluence) {
  EXPECT_EQ(
      Matters({Create(1), Create(2), At(1, Kind::kAtomicStore, kX), At(2, Kind::kAtomicStore, kY),
               At(2, Kind::kThreadExit, 0), At(0, Kind::kAtomicLoad, kX), Failing(0)}),
      "x.x..xx");
}

// Check, then act: what T1 has read is overwritten by T2, whose write it overwrites in turn.
TEST(Aside, AReadThatIsSoonOutdatedMatters) {
  EXPECT_EQ(Matters({Create(1), Create(2), At(1, Kind::kAtomicLoad, kX),
                     At(2, Kind::kAtomicLoad, kX), At(2, Kind::kAtomicFetch, kX),
                     At(1, Kind::kAtomicFetch, kX), At(0, Kind::kAtomicLoad, kX), Failing(0)}),
            "xxx.xxxx");
}

// Rounds that see nothing new, and counters that only their own thread reads.
TEST(Aside, RoundsOfOneThreadMatterOnce) {
  EXPECT_EQ(Matters({Create(1), At(1, Kind::kAtomicFetch, kX), At(1, Kind::kAtomicFetch, kX),
                     At(1, Kind::kAtomicFetch, kX), At(0, Kind::kAtomicLoad, kX),
                     At(0, Kind::kAtomicLoad, kX), At(0, Kind::kAtomicLoad, kX), Failing(0)}),
            "x..xx..x");
}

// What main has set before there are others is as if it had always been so.
TEST(Aside, ConstantsDoNotMatter) {
  EXPECT_EQ(
      Matters({At(0, Kind::kAtomicStore, kX), Create(1), At(1, Kind::kAtomicLoad, kX), Failing(1)}),
      ".x.x");
}

TEST(Aside, ALockMattersWithWhatIsDoneUnderIt) {
  EXPECT_EQ(Matters({Create(1), At(1, Kind::kMutexLock, kM), At(1, Kind::kPlainWrite, kX),
                     At(1, Kind::kMutexUnlock, kM), At(1, Kind::kMutexLock, kM),
                     At(1, Kind::kMutexUnlock, kM), At(1, Kind::kAtomicStore, kY),
                     At(0, Kind::kMutexLock, kM), At(0, Kind::kPlainRead, kX),
                     At(0, Kind::kMutexUnlock, kM), At(0, Kind::kAtomicLoad, kY), Failing(0)}),
            "xxxxxxxxxxxx");
}

// A lock is shown with its unlock, also where that has no influence itself: main reads x without
// the lock, and T1 has given it back by then.
TEST(Aside, AnUnlockMattersWithItsLock) {
  EXPECT_EQ(Matters({Create(1), At(1, Kind::kMutexLock, kM), At(1, Kind::kAtomicStore, kX),
                     At(1, Kind::kMutexUnlock, kM), At(2, Kind::kMutexLock, kM),
                     At(2, Kind::kMutexUnlock, kM), At(0, Kind::kAtomicLoad, kX), Failing(0)}),
            "xxxx..xx");
}

// The one behind the second access of a race is after all that the reader came for.
TEST(Aside, AnUnlockBehindARaceDoesNot) {
  EXPECT_EQ(
      Matters({Create(1), At(1, Kind::kPlainWrite, kX, channel::kStepRaceFirst),
               At(0, Kind::kMutexLock, kM), At(0, Kind::kPlainRead, kX, channel::kStepRaceSecond),
               At(1, Kind::kMutexLock, kM), At(0, Kind::kMutexUnlock, kM)}),
      "xxxx..");
}

// A try that fails holds nothing, whose end would be the unlock of the next one.
TEST(Aside, AFailedTryHasNoUnlock) {
  EXPECT_EQ(Matters({Create(1), At(1, Kind::kMutexTryLock, kM, channel::kStepFailed),
                     At(1, Kind::kMutexLock, kY), At(1, Kind::kMutexUnlock, kY),
                     At(1, Kind::kMutexTryLock, kM, channel::kStepFailed), Failing(1)}),
            "x....x");
}

TEST(Aside, OfADeadlockWhatIsHeldMatters) {
  EXPECT_EQ(Matters({Create(1), At(1, Kind::kMutexLock, kY), At(1, Kind::kMutexUnlock, kY),
                     At(1, Kind::kMutexLock, kX), At(0, Kind::kMutexLock, kM),
                     At(0, Kind::kMutexLock, kX, channel::kStepBlocked),
                     At(1, Kind::kMutexLock, kM, channel::kStepBlocked)}),
            "x..xxxx");
}

StepRecord Join(uint32_t thread) {
  StepRecord step = At(0, Kind::kThreadJoin, 0);
  step.other = thread;
  return step;
}

// T1 has read what T2 wrote for a moment, and so has not written what main looks for.
TEST(Aside, WhatAThreadHasNotDoneMatters) {
  EXPECT_EQ(
      Matters({Create(1), Create(2), At(2, Kind::kAtomicStore, kX), At(1, Kind::kAtomicLoad, kX),
               At(2, Kind::kAtomicStore, kX), Join(1), Join(2), Failing(0)}),
      "xxxxxxxx");
}

// T3 and T4 have done so, too, but of nothing that T1 and T2 know, whom the bug is about.
TEST(Aside, WhatOthersHaveNotDoneDoesNot) {
  EXPECT_EQ(Matters({Create(1), Create(2), Create(3), Create(4), At(2, Kind::kAtomicStore, kX),
                     At(4, Kind::kAtomicStore, kY), At(1, Kind::kAtomicLoad, kX),
                     At(3, Kind::kAtomicLoad, kY), At(1, Kind::kAtomicStore, kM), Join(1), Join(2),
                     Join(3), Join(4), At(0, Kind::kAtomicLoad, kM), Failing(0)}),
            "xx..x.x.xx...xx");
}

// T1 has not signalled, as it has seen no waiter; now main waits for a signal.
TEST(Aside, WhatNobodyHasSignalledMatters) {
  EXPECT_EQ(Matters({Create(1), At(1, Kind::kAtomicLoad, kX), At(0, Kind::kAtomicFetch, kX),
                     At(0, Kind::kCondWait, kM, channel::kStepBlocked)}),
            "xxxx");
}

// T1 overwrites what main has written, and goes by its own value in the end.
TEST(Aside, AnOwnValueInPlaceOfAnothersMatters) {
  EXPECT_EQ(Matters({Create(1), At(0, Kind::kAtomicStore, kX), At(1, Kind::kAtomicLoad, kX),
                     At(1, Kind::kAtomicStore, kX), At(1, Kind::kAtomicLoad, kX), Failing(1)}),
            "xxxx.x");
}

TEST(Aside, TypesOfAllocations) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(TypesInLine("queue *q = new queue;"), Names{"queue"});
  EXPECT_EQ(TypesInLine("auto n = new ns::Node<int>(1, renew x);"), Names{"Node<int>"});
  EXPECT_EQ(TypesInLine("t = malloc(2 * sizeof(struct task));"), (Names{"task", "*t"}));
  // A block of pointers is none of what they point to.
  EXPECT_EQ(TypesInLine("q = (struct job **)malloc(4 * sizeof(struct job *));"), Names{"*q"});
  EXPECT_EQ(TypesInLine("auto q = new Node<int> *[4];"), Names{});
  EXPECT_EQ(TypesInLine("cache_object *obj = malloc(sizeof *obj);"),
            (Names{"cache_object", "*obj"}));
  EXPECT_EQ(TypesInLine("obj = (cache_object *)calloc(1, n);"), (Names{"cache_object", "*obj"}));
  EXPECT_EQ(TypesInLine("if ((list->first = malloc(n)) == NULL)"), Names{"*first"});
  EXPECT_EQ(TypesInLine("if (p == malloc(n))"), Names{});
  EXPECT_EQ(TypesInLine("run();"), Names{});
  EXPECT_EQ(TypeInFunction("std::__new_allocator<std::_Sp_counted_ptr_inplace<a::Task<int, 2>, "
                           "std::allocator<void>, (__gnu_cxx::_Lock_policy)2> >::allocate"),
            "Task<int, 2>");
  EXPECT_EQ(TypeInFunction("std::make_unique<Registry>"), "Registry");
  EXPECT_EQ(TypeInFunction("std::__new_allocator<a::Future>::allocate"), "Future");
  EXPECT_EQ(TypeInFunction("std::__new_allocator<std::_List_node<int> >::allocate"), "");
  EXPECT_EQ(TypeInFunction("std::vector<int>::push_back"), "");
}

}  // namespace
}  // namespace heddle::report
