// __cxa_guard_*: what compiled code calls around the construction of a function-local static.
// primitives/static_guard.h has what they do. A program without a C++ library has no real ones.

#include "runtime/export.h"
#include "runtime/prim/real.h"
#include "runtime/primitives/static_guard.h"
#include "runtime/runtime.h"

using namespace heddle::runtime;  // NOLINT: this file defines the C++ ABI's names in terms of ours

extern "C" {

HEDDLE_EXPORT int __cxa_guard_acquire(uint8_t* guard) {
  if (InExecution()) return GuardAcquire(guard, HEDDLE_CALLER);
  auto* real = Real<&__cxa_guard_acquire>("__cxa_guard_acquire");
  return real != nullptr ? real(guard) : HostGuardAcquire(guard);
}

HEDDLE_EXPORT void __cxa_guard_release(uint8_t* guard) {
  if (InExecution()) return GuardRelease(guard, HEDDLE_CALLER);
  auto* real = Real<&__cxa_guard_release>("__cxa_guard_release");
  real != nullptr ? real(guard) : HostGuardEnd(guard, true);
}

HEDDLE_EXPORT void __cxa_guard_abort(uint8_t* guard) {
  if (InExecution()) return GuardAbort(guard, HEDDLE_CALLER);
  auto* real = Real<&__cxa_guard_abort>("__cxa_guard_abort");
  real != nullptr ? real(guard) : HostGuardEnd(guard, false);
}

}  // extern "C"
