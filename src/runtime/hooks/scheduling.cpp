// How the kernel is to schedule threads. It knows one of them only, and heddle schedules; so what
// is asked of it for a thread of the program is granted, and has no effect.

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/export.h"
#include "runtime/hooks/operands.h"
#include "runtime/memory/rewind.h"
#include "runtime/prim/real.h"
#include "runtime/runtime.h"
#include "runtime/world/processes.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

bool IsOwn(pid_t thread) { return InExecution() && KernelNumber(thread) == 0; }

}  // namespace

extern "C" {

// All threads run on one processor, wherever that is.
HEDDLE_EXPORT int sched_setaffinity(pid_t thread, size_t size, const cpu_set_t* set) noexcept {
  if (!IsOwn(thread)) return Real<&sched_setaffinity>("sched_setaffinity")(thread, size, set);
  SeeBytesRead(set, size, HEDDLE_ACCESS_CALLER);
  return 0;
}

HEDDLE_EXPORT int sched_getaffinity(pid_t thread, size_t size, cpu_set_t* set) noexcept {
  if (!InExecution()) return Real<&sched_getaffinity>("sched_getaffinity")(thread, size, set);
  SeeBytesWritten(set, size, HEDDLE_ACCESS_CALLER);
  MakeWritable(set, size);
  return Real<&sched_getaffinity>("sched_getaffinity")(0, size, set);
}

HEDDLE_EXPORT int sched_setscheduler(pid_t thread, int policy,
                                     const sched_param* parameters) noexcept {
  if (!IsOwn(thread))
    return Real<&sched_setscheduler>("sched_setscheduler")(thread, policy, parameters);
  return 0;
}

HEDDLE_EXPORT int sched_getscheduler(pid_t thread) noexcept {
  return Real<&sched_getscheduler>("sched_getscheduler")(IsOwn(thread) ? 0 : thread);
}

HEDDLE_EXPORT int sched_setparam(pid_t thread, const sched_param* parameters) noexcept {
  if (!IsOwn(thread)) return Real<&sched_setparam>("sched_setparam")(thread, parameters);
  SeeRead(parameters, HEDDLE_ACCESS_CALLER);
  return 0;
}

HEDDLE_EXPORT int sched_getparam(pid_t thread, sched_param* parameters) noexcept {
  if (!IsOwn(thread)) return Real<&sched_getparam>("sched_getparam")(thread, parameters);
  SeeWrite(parameters, HEDDLE_ACCESS_CALLER);
  MakeWritable(parameters, sizeof *parameters);
  return Real<&sched_getparam>("sched_getparam")(0, parameters);
}

HEDDLE_EXPORT int setpriority(__priority_which_t which, id_t who, int priority) noexcept {
  if (which == PRIO_PROCESS && IsOwn(static_cast<pid_t>(who))) return 0;
  return Real<&setpriority>("setpriority")(which, who, priority);
}

HEDDLE_EXPORT int getpriority(__priority_which_t which, id_t who) noexcept {
  const bool own = which == PRIO_PROCESS && IsOwn(static_cast<pid_t>(who));
  return Real<&getpriority>("getpriority")(which, own ? 0 : who);
}

// Answers what it would be.
HEDDLE_EXPORT int nice(int increment) noexcept {
  if (!InExecution()) return Real<&nice>("nice")(increment);
  const int wanted = getpriority(PRIO_PROCESS, 0) + increment;
  return wanted > 19 ? 19 : wanted < -20 ? -20 : wanted;
}

}  // extern "C"
