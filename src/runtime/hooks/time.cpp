// Clocks and sleeping. One line a symbol; world/virtual_time.h has what they do.

#include <errno.h>
#include <sched.h>
#include <sys/time.h>
#include <sys/times.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "runtime/export.h"
#include "runtime/hooks/operands.h"
#include "runtime/prim/real.h"
#include "runtime/runtime.h"
#include "runtime/world/virtual_time.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

// Sets errno for functions that answer -1.
int Answer(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

// Who is interrupted has not slept at all.
int SleepInterruptibly(const timespec* asked, timespec* rest, uintptr_t pc) {
  const timespec length = ReadValue(asked, pc);
  const int error = SleepFor(length, pc);
  if (error != EINTR || rest == nullptr) return error;
  SeeWrite(rest, pc);
  *rest = length;
  return error;
}

// The library's own reading, where heddle has none.
int64_t RealMonotonic() {
  timespec time;
  Real<&clock_gettime>("clock_gettime")(CLOCK_MONOTONIC, &time);
  return static_cast<int64_t>(NanosecondsOf(time));
}

constexpr uint64_t kMicrosecond = 1'000;
constexpr uint64_t kSecond = 1'000'000'000;

}  // namespace

extern "C" {

HEDDLE_EXPORT int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (!InExecution()) return Real<&clock_gettime>("clock_gettime")(clock, time);
  SeeWrite(time, HEDDLE_ACCESS_CALLER);
  *time = ReadClock(clock);
  return 0;
}

// In place of std::chrono::steady_clock::now(), where heddle-cc has put them
// (assembly/limit_clock.h).
HEDDLE_EXPORT int64_t heddle_now_for_limit() noexcept {
  return InExecution() ? static_cast<int64_t>(NowForLimit()) : RealMonotonic();
}

HEDDLE_EXPORT int64_t heddle_now_after_limit() noexcept {
  return InExecution() ? static_cast<int64_t>(NowAfterLimit()) : RealMonotonic();
}

HEDDLE_EXPORT int clock_getres(clockid_t clock, timespec* resolution) noexcept {
  if (!InExecution()) return Real<&clock_getres>("clock_getres")(clock, resolution);
  SeeWrite(resolution, HEDDLE_ACCESS_CALLER);
  if (resolution != nullptr) *resolution = {0, 1};
  return 0;
}

HEDDLE_EXPORT int clock_settime(clockid_t clock, const timespec* time) noexcept {
  if (!InExecution()) return Real<&clock_settime>("clock_settime")(clock, time);
  return Answer(EPERM);
}

HEDDLE_EXPORT int gettimeofday(timeval* time, void* zone) noexcept {
  if (!InExecution()) return Real<&gettimeofday>("gettimeofday")(time, zone);
  SeeWrite(time, HEDDLE_ACCESS_CALLER);
  const timespec now = ReadClock(CLOCK_REALTIME);
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

HEDDLE_EXPORT time_t time(time_t* result) noexcept {
  if (!InExecution()) return Real<&time>("time")(result);
  SeeWrite(result, HEDDLE_ACCESS_CALLER);
  const time_t now = ReadClock(CLOCK_REALTIME).tv_sec;
  if (result != nullptr) *result = now;
  return now;
}

HEDDLE_EXPORT int timespec_get(timespec* time, int base) noexcept {
  if (!InExecution()) return Real<&timespec_get>("timespec_get")(time, base);
  if (base != TIME_UTC) return 0;
  SeeWrite(time, HEDDLE_ACCESS_CALLER);
  *time = ReadClock(CLOCK_REALTIME);
  return base;
}

HEDDLE_EXPORT clock_t clock() noexcept {
  if (!InExecution()) return Real<&clock>("clock")();
  return static_cast<clock_t>(ReadElapsed() / (kSecond / CLOCKS_PER_SEC));
}

HEDDLE_EXPORT clock_t times(tms* buffer) noexcept {
  if (!InExecution()) return Real<&times>("times")(buffer);
  SeeWrite(buffer, HEDDLE_ACCESS_CALLER);
  constexpr uint64_t kTick = kSecond / 100;  // sysconf(_SC_CLK_TCK)
  const auto ticks = static_cast<clock_t>(ReadElapsed() / kTick);
  if (buffer != nullptr) *buffer = {ticks, 0, 0, 0};
  return ticks + static_cast<clock_t>(kMonotonicStart / kTick);
}

HEDDLE_EXPORT int nanosleep(const timespec* length, timespec* rest) {
  if (!InExecution()) return Real<&nanosleep>("nanosleep")(length, rest);
  return Answer(SleepInterruptibly(length, rest, HEDDLE_CALLER));
}

HEDDLE_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* time,
                                  timespec* rest) {
  if (!InExecution()) return Real<&clock_nanosleep>("clock_nanosleep")(clock, flags, time, rest);
  if ((flags & TIMER_ABSTIME) == 0) return SleepInterruptibly(time, rest, HEDDLE_CALLER);
  return SleepUntil(clock, ReadValue(time, HEDDLE_ACCESS_CALLER), HEDDLE_CALLER);
}

HEDDLE_EXPORT int usleep(useconds_t length) {
  if (!InExecution()) return Real<&usleep>("usleep")(length);
  return Answer(Sleep(length * kMicrosecond, HEDDLE_CALLER) ? 0 : EINTR);
}

HEDDLE_EXPORT unsigned sleep(unsigned length) {
  if (!InExecution()) return Real<&sleep>("sleep")(length);
  return Sleep(length * kSecond, HEDDLE_CALLER) ? 0 : length;
}

HEDDLE_EXPORT int thrd_sleep(const timespec* length, timespec* rest) {
  if (!InExecution()) return Real<&thrd_sleep>("thrd_sleep")(length, rest);
  const int error = SleepInterruptibly(length, rest, HEDDLE_CALLER);
  if (error == 0) return 0;
  return error == EINTR ? -1 : -2;
}

HEDDLE_EXPORT int sched_yield() noexcept {
  if (!InExecution()) return Real<&sched_yield>("sched_yield")();
  Yield(HEDDLE_CALLER);
  return 0;
}

int pthread_yield() noexcept;  // declared no more
HEDDLE_EXPORT int pthread_yield() noexcept {
  if (!InExecution()) return Real<&sched_yield>("sched_yield")();
  Yield(HEDDLE_CALLER);
  return 0;
}

HEDDLE_EXPORT void thrd_yield() {
  if (!InExecution()) return Real<&thrd_yield>("thrd_yield")();
  Yield(HEDDLE_CALLER);
}

}  // extern "C"
