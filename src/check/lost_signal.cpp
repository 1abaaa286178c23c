#include "check/lost_signal.h"

#include <cstddef>

#include "op/operation.h"

namespace heddle::check {
namespace {

using channel::StepRecord;
using op::Kind;

bool Is(const StepRecord& step, Kind kind) { return step.op_kind == static_cast<uint8_t>(kind); }

bool IsBy(const StepRecord& step, uint32_t thread) {
  constexpr uint32_t kNotExecuted =
      channel::kStepBlocked | channel::kStepLeft | channel::kStepMade | channel::kStepEnding;
  return step.thread == thread && (step.flags & kNotExecuted) == 0;
}

// A signal's value is the thread that it wakes, whose last step is its wait; main's number is 0.
bool WakesMain(std::span<const StepRecord> steps, size_t signal) {
  if (Is(steps[signal], Kind::kCondBroadcast)) return false;  // its value is how many
  for (size_t i = signal; i-- > 0;)
    if (IsBy(steps[i], 0))
      return Is(steps[i], Kind::kCondWait) && steps[i].object == steps[signal].object;
  return false;
}

bool LocksFor(const StepRecord& step, uint64_t mutex) {
  if (step.object != mutex || (step.flags & channel::kStepFailed) != 0) return false;
  return Is(step, Kind::kMutexLock) || Is(step, Kind::kMutexTryLock) ||
         Is(step, Kind::kMutexTimedLock) || Is(step, Kind::kCondReacquire);
}

}  // namespace

const StepRecord* LostSignal(std::span<const StepRecord> steps, uint32_t waiter, uint64_t condition,
                             uint64_t mutex) {
  // Of a long execution the middle is not recorded.
  if (steps.empty() || steps.back().number > steps.size()) return nullptr;
  const auto is_wait = [&](const StepRecord& step) {
    return IsBy(step, waiter) && Is(step, Kind::kCondWait) && step.object == condition;
  };
  size_t wait = steps.size();
  while (wait > 0 && !is_wait(steps[wait - 1])) --wait;
  const StepRecord* lost = nullptr;
  for (size_t at = wait == 0 ? 0 : wait - 1; at-- > 0;) {
    const StepRecord& step = steps[at];
    if (IsBy(step, waiter) && LocksFor(step, mutex)) return lost;
    const bool is_signal = Is(step, Kind::kCondSignal) || Is(step, Kind::kCondBroadcast);
    if (lost == nullptr && is_signal && step.thread != waiter && step.object == condition &&
        step.value == 0 && !WakesMain(steps, at))
      lost = &step;
  }
  return nullptr;
}

}  // namespace heddle::check
