#include "runtime/world/virtual_time.h"

#include <errno.h>

#include "runtime/loops/timed_rounds.h"
#include "runtime/runtime.h"
#include "runtime/steps/commit.h"
#include "runtime/steps/scheduler.h"
#include "runtime/visible.h"

namespace heddle::runtime {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kForever = INT64_MAX;

// A look at a clock takes a microsecond, twice as much after every 16 looks, and at most a second:
// a thread that measures something sees small numbers, and one that waits for a time sees it come
// after a few hundred looks.
constexpr uint64_t kFirstLook = 1'000;
constexpr uint32_t kLooksPerDoubling = 16;
constexpr uint32_t kMostDoublings = 20;

uint64_t Sum(uint64_t time, uint64_t length) {
  return time + length < kForever ? time + length : kForever;
}

uint64_t StartOf(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM:
      return kRealTimeStart;
    case CLOCK_TAI:
      return kRealTimeStart + 37 * kSecond;  // leap seconds since 1972
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID:
      return 0;
    default:
      return clock < 0 ? 0 : kMonotonicStart;  // negative: some thread's or process's CPU time
  }
}

// A point where the thread goes behind the others. No preemption is needed to leave it. False: a
// signal interrupts it.
bool StandBack(const op::Operation& operation, Interrupts interrupts) {
  Fiber& self = Current();
  self.yielding = true;
  const Wake wake = ReachInCall(operation, nullptr, false, interrupts);
  self.yielding = false;
  if (wake == Wake::kInterrupted) return false;
  self.now = Sum(self.now, operation.operand);
  Commit(operation, nullptr, op::Access::kNone, operation.operand);
  return true;
}

}  // namespace

uint64_t NanosecondsOf(const timespec& length) {
  if (length.tv_sec < 0) return 0;
  const auto seconds = static_cast<uint64_t>(length.tv_sec);
  if (seconds >= kForever / kSecond) return kForever;
  return seconds * kSecond + static_cast<uint64_t>(length.tv_nsec);
}

uint64_t DeadlineOf(clockid_t clock, const timespec& time) {
  Fiber& self = Current();
  const uint64_t reading = NanosecondsOf(time);
  const uint64_t start = StartOf(clock);
  const uint64_t from_start = reading > start ? reading - start : 0;
  if (clock != CLOCK_MONOTONIC) return from_start;
  self.limit = reading;
  self.limit_passed = false;
  return self.limit_from == kNoLimit ? from_start : Sum(self.limit_from, from_start);
}

uint64_t NowForLimit() {
  Fiber& self = Current();
  self.limit_from = self.now;
  return kMonotonicStart;
}

uint64_t NowAfterLimit() {
  const Fiber& self = Current();
  if (self.limit == 0) return kMonotonicStart + ReadElapsed();
  return self.limit_passed ? self.limit : self.limit - 1;
}

uint64_t ReadElapsed() {
  NeedTimes();
  Fiber& self = Current();
  const uint32_t doublings = self.clock_reads / kLooksPerDoubling;
  ++self.clock_reads;
  self.limit_from = kNoLimit;  // the next limit may be computed from this reading
  NoteClockBesideRounds();
  ++self.changes;  // the thread saw something new: it does not spin
  const uint64_t look = kFirstLook << (doublings < kMostDoublings ? doublings : kMostDoublings);
  self.now += look < kSecond ? look : kSecond;
  return self.now;
}

timespec ReadClock(clockid_t clock) {
  const uint64_t reading = StartOf(clock) + ReadElapsed();
  return {static_cast<time_t>(reading / kSecond), static_cast<long>(reading % kSecond)};
}

bool Sleep(uint64_t nanoseconds, uintptr_t pc) {
  return StandBack({.kind = op::Kind::kSleep, .operand = nanoseconds, .pc = pc},
                   Interrupts::kAlways);
}

int SleepFor(const timespec& length, uintptr_t pc) {
  if (!IsValidTime(length) || length.tv_sec < 0) return EINVAL;
  return Sleep(NanosecondsOf(length), pc) ? 0 : EINTR;
}

int SleepUntil(clockid_t clock, const timespec& time, uintptr_t pc) {
  if (!IsValidTime(time)) return EINVAL;
  const uint64_t deadline = DeadlineOf(clock, time);
  const uint64_t now = Current().now;
  return Sleep(deadline > now ? deadline - now : 0, pc) ? 0 : EINTR;
}

void Yield(uintptr_t pc) { StandBack({.kind = op::Kind::kYield, .pc = pc}, Interrupts::kNever); }

}  // namespace heddle::runtime
