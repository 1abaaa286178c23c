#include "check/lost_signal.h"

#include <gtest/gtest.h>

#include <vector>

#include "op/operation.h"

namespace heddle::check {
namespace {

using channel::StepRecord;
using op::Kind;

constexpr uint64_t kC = 0x100, kOther = 0x200, kM = 0x300;

StepRecord At(uint32_t thread, Kind kind, uint64_t object, uint64_t value = 0) {
  StepRecord step = {};
  step.thread = thread;
  step.op_kind = static_cast<uint8_t>(kind);
  step.object = object;
  step.value = value;
  return step;
}

// The index of the signal that thread 1 has lost, or -1.
int Lost(std::vector<StepRecord> steps) {
  for (size_t i = 0; i < steps.size(); ++i) steps[i].number = i + 1;
  const StepRecord* lost = LostSignal(steps, 1, kC, kM);
  return lost == nullptr ? -1 : static_cast<int>(lost - steps.data());
}

const StepRecord kLock = At(1, Kind::kMutexLock, kM), kWait = At(1, Kind::kCondWait, kC),
                 kSignal = At(2, Kind::kCondSignal, kC);

TEST(LostSignal, ComesBetweenTheLockAndTheWait) {
  EXPECT_EQ(Lost({kLock, kSignal, kWait}), 1);
  EXPECT_EQ(Lost({kLock, At(2, Kind::kCondBroadcast, kC), kWait}), 1);
  EXPECT_EQ(Lost({kLock, kSignal, kSignal, kWait}), 2);  // the last one
}

// What was done before the lock is seen under it: a signal of that is of no use.
TEST(LostSignal, IsNotOneBeforeTheLock) {
  EXPECT_EQ(Lost({kSignal, kLock, kWait}), -1);
  EXPECT_EQ(Lost({kLock, kSignal, At(1, Kind::kMutexUnlock, kM), kLock, kWait}), -1);
}

// It has woken up, and looks again under the lock that it has got with that.
TEST(LostSignal, ComesBetweenWakingUpAndTheNextWait) {
  const StepRecord wakes = At(2, Kind::kCondSignal, kC, 1), again = At(1, Kind::kCondReacquire, kM);
  EXPECT_EQ(Lost({kLock, kWait, wakes, again, kSignal, kWait}), 4);
  EXPECT_EQ(Lost({kLock, kSignal, kWait, wakes, again, kWait}), -1);
}

TEST(LostSignal, IsOfThisConditionAndNobodyElses) {
  EXPECT_EQ(Lost({kLock, At(2, Kind::kCondSignal, kOther), kWait}), -1);
  EXPECT_EQ(Lost({kLock, At(2, Kind::kCondSignal, kC, 3), kWait}), -1);      // wakes T3
  EXPECT_EQ(Lost({At(0, Kind::kCondWait, kC), kLock, kSignal, kWait}), -1);  // wakes main
  EXPECT_EQ(Lost({At(0, Kind::kCondWait, kOther), kLock, kSignal, kWait}), 2);
  EXPECT_EQ(Lost({kLock, At(1, Kind::kCondSignal, kC), kWait}), -1);  // its own
}

TEST(LostSignal, IsNotToldOfAnExecutionWhoseMiddleIsMissing) {
  std::vector<StepRecord> steps = {kLock, kSignal, kWait};
  steps.back().number = 100;
  EXPECT_EQ(LostSignal(steps, 1, kC, kM), nullptr);
  EXPECT_EQ(LostSignal({}, 1, kC, kM), nullptr);
}

}  // namespace
}  // namespace heddle::check
