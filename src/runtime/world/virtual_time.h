// Virtual time. Every thread has its own now, in nanoseconds since the start of the execution; it
// moves when the thread sleeps, when a time limit it waits for passes, and a little with every look
// at a clock, so that a loop that waits for a time to come ends. And it follows the dependence
// order (steps/commit.cpp): who comes after an event is not earlier than it. So what a thread
// reads is a function of the happens-before graph, never of the order of independent events.
#pragma once

#include <time.h>

#include <cstdint>

namespace heddle::runtime {

// Where the clocks stand at the start of every execution, in nanoseconds: a fixed date.
inline constexpr uint64_t kRealTimeStart = 1'700'000'000ull * 1'000'000'000ull;
inline constexpr uint64_t kMonotonicStart = 1'000ull * 1'000'000'000ull;

// What functions with a time limit answer EINVAL to.
inline bool IsValidTime(const timespec& time) {
  return time.tv_nsec >= 0 && time.tv_nsec < 1'000'000'000;
}

// A length of time in nanoseconds; more than three centuries are three centuries.
uint64_t NanosecondsOf(const timespec& length);

// `clock` reads `time`, which the running thread will wait for: as nanoseconds since the start of
// the execution; 0 if that is in the past.
uint64_t DeadlineOf(clockid_t clock, const timespec& time);

// What the C++ library reads on the monotonic clock to compute a limit of so many nanoseconds from
// now, and to ask afterwards whether it has passed (assembly/limit_clock.h). These readings are no
// looks at a clock: the first is always the same moment, and what is computed from it counts from
// the thread's now; the second comes before the last limit, or is it. In nanoseconds.
uint64_t NowForLimit();
uint64_t NowAfterLimit();

// What the running thread reads on `clock`. REQUIRES: InExecution().
timespec ReadClock(clockid_t clock);
// Nanoseconds that the running thread has spent in this execution; a look at a clock like the one
// above.
uint64_t ReadElapsed();

// The running thread sleeps: a scheduling point at which others go first. False: a signal
// interrupts it before any time has passed.
bool Sleep(uint64_t nanoseconds, uintptr_t pc);
// nanosleep and clock_nanosleep: 0 or an errno value.
int SleepFor(const timespec& length, uintptr_t pc);
int SleepUntil(clockid_t clock, const timespec& time, uintptr_t pc);
// The same without time passing.
void Yield(uintptr_t pc);

}  // namespace heddle::runtime
