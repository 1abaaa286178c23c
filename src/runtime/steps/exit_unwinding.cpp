// pthread_exit: forced unwinding of a fiber's stack, so that destructors and cleanup handlers run
// as under glibc.
//
// The unwinder is the program's own (libgcc_s), because the program's landing pads continue it. C
// code without exceptions registers its cleanup handlers as jump buffers on its stack
// (pthread_cleanup_push); the stop function jumps into the innermost one as soon as unwinding has
// passed the frame that holds it, and __pthread_unwind_next goes on.

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <unwind.h>

#include "base/check.h"
#include "runtime/export.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/real.h"
#include "runtime/runtime.h"
#include "runtime/steps/thread_life.h"

namespace heddle::runtime {
namespace {

_Unwind_Reason_Code StopAtEnd(int, _Unwind_Action actions, _Unwind_Exception_Class,
                              _Unwind_Exception*, _Unwind_Context* context, void* argument) {
  Fiber& self = *static_cast<Fiber*>(argument);
  using GetCfa = uintptr_t (*)(_Unwind_Context*);
  [[HEDDLE_LASTS("found once")]] static GetCfa get_cfa =
      reinterpret_cast<GetCfa>(dlsym(RTLD_DEFAULT, "_Unwind_GetCFA"));
  const bool at_end = (actions & _UA_END_OF_STACK) != 0;
  auto* buffer = static_cast<__pthread_unwind_buf_t*>(self.cleanup);
  if (buffer != nullptr && (at_end || get_cfa(context) > reinterpret_cast<uintptr_t>(buffer)))
    _longjmp(reinterpret_cast<__jmp_buf_tag*>(buffer->__cancel_jmp_buf), 1);
  if (at_end) FinishRunningThread(self.result);
  return _URC_NO_REASON;
}

void Unwind(Fiber& self) {
  using ForcedUnwind = _Unwind_Reason_Code (*)(_Unwind_Exception*, _Unwind_Stop_Fn, void*);
  [[HEDDLE_LASTS("found once")]] static ForcedUnwind forced_unwind =
      reinterpret_cast<ForcedUnwind>(dlsym(RTLD_DEFAULT, "_Unwind_ForcedUnwind"));
  if (forced_unwind == nullptr) Unsupported("pthread_exit without libgcc_s.so.1");
  // Destructors on the way may let other threads run, and those may unwind as well: one object
  // each.
  auto* exception = static_cast<_Unwind_Exception*>(g_state.bump.Take(sizeof(_Unwind_Exception)));
  *exception = {};
  forced_unwind(exception, StopAtEnd, &self);
  FinishRunningThread(self.result);  // the unwinder gave up: no unwind information on the way
}

}  // namespace

void ExitThread(void* result) {
  Fiber& self = Current();
  self.result = result;
  Unwind(self);
  __builtin_unreachable();
}

}  // namespace heddle::runtime

using namespace heddle::runtime;  // NOLINT

extern "C" {

HEDDLE_EXPORT void pthread_exit(void* result) {
  if (!InExecution()) {
    Real<&pthread_exit>("pthread_exit")(result);
    __builtin_unreachable();
  }
  ExitThread(result);
}

HEDDLE_EXPORT void __pthread_register_cancel(__pthread_unwind_buf_t* buffer) {
  if (!InExecution()) return Real<&__pthread_register_cancel>("__pthread_register_cancel")(buffer);
  buffer->__pad[0] = Current().cleanup;
  Current().cleanup = buffer;
}

HEDDLE_EXPORT void __pthread_unregister_cancel(__pthread_unwind_buf_t* buffer) {
  if (!InExecution())
    return Real<&__pthread_unregister_cancel>("__pthread_unregister_cancel")(buffer);
  Current().cleanup = buffer->__pad[0];
}

HEDDLE_EXPORT void __pthread_unwind_next(__pthread_unwind_buf_t* buffer) {
  if (!InExecution()) {
    Real<&__pthread_unwind_next>("__pthread_unwind_next")(buffer);
    __builtin_unreachable();
  }
  Fiber& self = Current();
  self.cleanup = buffer->__pad[0];
  Unwind(self);
  __builtin_unreachable();
}

}  // extern "C"
