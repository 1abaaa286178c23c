// Names of threads. The kernel knows one thread only, so each fiber keeps its own
// (world/thread_world.h); under a debugger it knows all of them, and is told.

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "runtime/export.h"
#include "runtime/fibers/kernel_threads.h"
#include "runtime/fibers/pool.h"
#include "runtime/hooks/operands.h"
#include "runtime/prim/libc_answer.h"
#include "runtime/prim/real.h"
#include "runtime/runtime.h"
#include "runtime/world/thread_world.h"
#include "runtime/world/unseen_calls.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

constexpr size_t kNameBytes = sizeof ThreadWorld::name;

// Cuts what is too long, as the kernel does.
void Rename(ThreadWorld& world, const char* name) {
  memset(world.name, 0, kNameBytes);
  memcpy(world.name, name, strnlen(name, kNameBytes - 1));
}

}  // namespace

extern "C" {

HEDDLE_EXPORT int pthread_setname_np(pthread_t handle, const char* name) noexcept {
  if (!InExecution()) return Real<&pthread_setname_np>("pthread_setname_np")(handle, name);
  const Fiber* fiber = FiberOfHandle(handle);
  if (fiber == nullptr) return ESRCH;
  SeeString(name, HEDDLE_ACCESS_CALLER);
  if (strlen(name) >= kNameBytes) return ERANGE;
  Rename(WorldOf(*fiber), name);
  if (g_state.kernel_threads) NameKernelThread(*fiber, name);
  return 0;
}

HEDDLE_EXPORT int pthread_getname_np(pthread_t handle, char* name, size_t bytes) noexcept {
  if (!InExecution()) return Real<&pthread_getname_np>("pthread_getname_np")(handle, name, bytes);
  const Fiber* fiber = FiberOfHandle(handle);
  if (fiber == nullptr) return ESRCH;
  if (bytes < kNameBytes) return ERANGE;  // as glibc, whatever the name's length
  SeeBytesWritten(name, strlen(WorldOf(*fiber).name) + 1, HEDDLE_ACCESS_CALLER);
  strcpy(name, WorldOf(*fiber).name);
  return 0;
}

HEDDLE_EXPORT int prctl(int option, ...) noexcept {
  va_list list;
  va_start(list, option);
  unsigned long a[4];
  for (unsigned long& argument : a) argument = va_arg(list, unsigned long);
  va_end(list);
  if (InExecution() && (option == PR_SET_NAME || option == PR_GET_NAME)) {
    ThreadWorld& world = RunningWorld();
    auto* name = reinterpret_cast<char*>(a[0]);
    if (option == PR_SET_NAME) {
      SeeString(name, HEDDLE_ACCESS_CALLER);
      Rename(world, name);
      if (g_state.kernel_threads) NameKernelThread(Current(), name);
    } else {
      SeeBytesWritten(name, kNameBytes, HEDDLE_ACCESS_CALLER);
      memcpy(name, world.name, kNameBytes);
    }
    return 0;
  }
  if (InExecution()) {
    const long all[6] = {option,
                         static_cast<long>(a[0]),
                         static_cast<long>(a[1]),
                         static_cast<long>(a[2]),
                         static_cast<long>(a[3]),
                         0};
    return static_cast<int>(LibcAnswer(MakeUnseenCall(SYS_prctl, all, "prctl", HEDDLE_CALLER)));
  }
  return Real<&prctl>("prctl")(option, a[0], a[1], a[2], a[3]);
}

}  // extern "C"
