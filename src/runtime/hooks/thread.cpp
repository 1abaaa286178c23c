// pthread_create and its family, C11 thrd_*, keys and thread_local destructors.

#include <errno.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

#include "runtime/export.h"
#include "runtime/fibers/keys.h"
#include "runtime/fibers/pool.h"
#include "runtime/hooks/operands.h"
#include "runtime/prim/real.h"
#include "runtime/runtime.h"
#include "runtime/start.h"
#include "runtime/steps/thread_life.h"
#include "runtime/world/thread_world.h"
#include "runtime/world/virtual_time.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

// Where a new thread's number is written, before that begins, as by glibc. On the creator's stack,
// where it mostly lies, nobody else looks for it; what the race check would note there were states.
void SeeHandle(const void* handle, uintptr_t pc) {
  if (IsOnOwnStack(Current(), reinterpret_cast<uintptr_t>(handle))) return;
  SeeBytes(handle, sizeof(pthread_t), true, pc);
}

// The thread takes its creator's mask and name as these are at that moment.
int Create(pthread_t* handle, const pthread_attr_t* attributes, void* (*start)(void*),
           void* argument, uintptr_t pc) {
  const int status = CreateThread(handle, attributes, start, argument, pc);
  if (status != 0) return status;
  if (const Fiber* child = FiberOfHandle(*handle)) WorldOf(*child);
  return 0;
}

// Of a join that has stored what the thread returned, if it succeeded.
int Answered(int status, void** result, uintptr_t pc) {
  if (status == 0) SeeWrite(result, pc);
  return status;
}

// `until`: null is no limit. `access` and `pc`: where the call returns to.
int JoinUntil(pthread_t handle, void** result, clockid_t clock, const timespec* until,
              uintptr_t access, uintptr_t pc) {
  uint64_t deadline = 0;
  if (until != nullptr) deadline = DeadlineOf(clock, ReadValue(until, access));
  const uint64_t* limit = until != nullptr ? &deadline : nullptr;
  return Answered(JoinThread(handle, result, limit, pc), result, access);
}

// C11 results of our errno answers.
int ThrdResult(int status) {
  return status == 0        ? thrd_success
         : status == ENOMEM ? thrd_nomem
         : status == EBUSY  ? thrd_busy
                            : thrd_error;
}

}  // namespace

extern "C" {

HEDDLE_EXPORT int pthread_create(pthread_t* handle, const pthread_attr_t* attributes,
                                 void* (*start)(void*), void* argument) noexcept {
  if (!InExecution()) {
    NoteEarlyThread();
    return Real<&pthread_create>("pthread_create")(handle, attributes, start, argument);
  }
  SeeRead(attributes, HEDDLE_ACCESS_CALLER);
  SeeHandle(handle, HEDDLE_ACCESS_CALLER);
  return Create(handle, attributes, start, argument, HEDDLE_CALLER);
}

HEDDLE_EXPORT int thrd_create(thrd_t* handle, thrd_start_t start, void* argument) {
  if (!InExecution()) {
    NoteEarlyThread();
    return Real<&thrd_create>("thrd_create")(handle, start, argument);
  }
  SeeHandle(handle, HEDDLE_ACCESS_CALLER);
  auto* routine = reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(start));
  return ThrdResult(Create(handle, nullptr, routine, argument, HEDDLE_CALLER));
}

HEDDLE_EXPORT int pthread_join(pthread_t handle, void** result) {
  if (!InExecution()) return Real<&pthread_join>("pthread_join")(handle, result);
  return Answered(JoinThread(handle, result, nullptr, HEDDLE_CALLER), result, HEDDLE_ACCESS_CALLER);
}

HEDDLE_EXPORT int thrd_join(thrd_t handle, int* result) {
  if (!InExecution()) return Real<&thrd_join>("thrd_join")(handle, result);
  void* value = nullptr;
  const int status = JoinThread(handle, &value, nullptr, HEDDLE_CALLER);
  if (status == 0) SeeWrite(result, HEDDLE_ACCESS_CALLER);
  if (status == 0 && result != nullptr)
    *result = static_cast<int>(reinterpret_cast<intptr_t>(value));
  return ThrdResult(status);
}

HEDDLE_EXPORT int pthread_tryjoin_np(pthread_t handle, void** result) noexcept {
  if (!InExecution()) return Real<&pthread_tryjoin_np>("pthread_tryjoin_np")(handle, result);
  return Answered(TryJoinThread(handle, result, HEDDLE_CALLER), result, HEDDLE_ACCESS_CALLER);
}

HEDDLE_EXPORT int pthread_timedjoin_np(pthread_t handle, void** result, const timespec* until) {
  if (!InExecution())
    return Real<&pthread_timedjoin_np>("pthread_timedjoin_np")(handle, result, until);
  return JoinUntil(handle, result, CLOCK_REALTIME, until, HEDDLE_ACCESS_CALLER, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_clockjoin_np(pthread_t handle, void** result, clockid_t clock,
                                       const timespec* until) {
  if (!InExecution())
    return Real<&pthread_clockjoin_np>("pthread_clockjoin_np")(handle, result, clock, until);
  return JoinUntil(handle, result, clock, until, HEDDLE_ACCESS_CALLER, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_detach(pthread_t handle) noexcept {
  if (!InExecution()) return Real<&pthread_detach>("pthread_detach")(handle);
  return DetachThread(handle, HEDDLE_CALLER);
}

HEDDLE_EXPORT int thrd_detach(thrd_t handle) {
  if (!InExecution()) return Real<&thrd_detach>("thrd_detach")(handle);
  return ThrdResult(DetachThread(handle, HEDDLE_CALLER));
}

HEDDLE_EXPORT void thrd_exit(int result) {
  if (!InExecution()) {
    Real<&thrd_exit>("thrd_exit")(result);
    __builtin_unreachable();
  }
  ExitThread(reinterpret_cast<void*>(static_cast<intptr_t>(result)));
}

HEDDLE_EXPORT int pthread_cancel(pthread_t handle) {
  if (!InExecution()) return Real<&pthread_cancel>("pthread_cancel")(handle);
  Unsupported("pthread_cancel");
}

// The parked kernel thread's small stack is not the one the fiber runs on.
HEDDLE_EXPORT int pthread_getattr_np(pthread_t handle, pthread_attr_t* attributes) noexcept {
  if (!InExecution()) return Real<&pthread_getattr_np>("pthread_getattr_np")(handle, attributes);
  Fiber* fiber = FiberOfHandle(handle);
  if (fiber == nullptr) return ESRCH;
  const int status = pthread_attr_init(attributes);
  if (status != 0) return status;
  pthread_attr_setdetachstate(attributes,
                              fiber->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
  return pthread_attr_setstack(attributes, fiber->stack_begin, fiber->stack_size);
}

HEDDLE_EXPORT int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  const int status = Real<&pthread_key_create>("pthread_key_create")(key, destructor);
  if (Controlled() && status == 0) RememberKey(*key, destructor);
  if (InExecution()) ++Current().changes;  // the next call finds another one
  return status;
}

HEDDLE_EXPORT int pthread_key_delete(pthread_key_t key) noexcept {
  if (Controlled()) ForgetKey(key);
  return Real<&pthread_key_delete>("pthread_key_delete")(key);
}

HEDDLE_EXPORT int tss_create(tss_t* key, tss_dtor_t destructor) {
  return ThrdResult(pthread_key_create(key, destructor));
}

HEDDLE_EXPORT void tss_delete(tss_t key) { pthread_key_delete(key); }

int __cxa_thread_atexit_impl(void (*destructor)(void*), void* object, void* dso) noexcept;
HEDDLE_EXPORT int __cxa_thread_atexit_impl(void (*destructor)(void*), void* object,
                                           void* dso) noexcept {
  if (!InExecution())
    return Real<&__cxa_thread_atexit_impl>("__cxa_thread_atexit_impl")(destructor, object, dso);
  AddTlsDestructor(Current(), destructor, object);
  return 0;
}

}  // extern "C"
