// Exceptions that several threads share (std::exception_ptr, std::future). The C++ library counts
// their owners with atomics that were not instrumented; whoever gives up the last one destroys the
// object. So giving up one is a release, and an acquire of all given up before: without that order,
// the destruction would look like a race with earlier uses.

#include "runtime/export.h"
#include "runtime/hooks/cpp_library.h"
#include "runtime/loops/timed_rounds.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/real.h"
#include "runtime/runtime.h"
#include "runtime/steps/commit.h"

using namespace heddle::runtime;  // NOLINT: this file defines the C++ library's names in terms of
                                  // ours

namespace {

constexpr char kRelease[] = "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv";
constexpr char kCurrent[] = "_ZSt17current_exceptionv";

// A std::exception_ptr is a pointer to the thrown object.
using ExceptionPointer = void*;

void GiveUp(const void* thrown) {
  if (thrown == nullptr || !g_state.several_threads) return;
  Fiber& self = Current();
  Object& object = FindObject(reinterpret_cast<uintptr_t>(thrown), ObjectKind::kException);
  AcquireFrom(self, object.release);
  ReleaseInto(self, object.release);
}

void ReallyRelease(ExceptionPointer* pointer) {
  [[HEDDLE_LASTS("found once")]] static auto* real =
      reinterpret_cast<void (*)(ExceptionPointer*)>(FindInCppLibrary(kRelease));
  real(pointer);
}

// The object being caught, or null.
const void* CaughtException() {
  [[HEDDLE_LASTS("found once")]] static auto* current =
      reinterpret_cast<ExceptionPointer* (*)(ExceptionPointer*)>(FindReal(kCurrent));
  if (current == nullptr) return nullptr;
  ExceptionPointer pointer = nullptr;
  current(&pointer);
  const void* thrown = pointer;
  if (pointer != nullptr) ReallyRelease(&pointer);
  return thrown;
}

}  // namespace

extern "C" {

HEDDLE_EXPORT void heddle_exception_release(ExceptionPointer* pointer)
    HEDDLE_SYMBOL("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
HEDDLE_EXPORT void heddle_exception_release(ExceptionPointer* pointer) {
  if (InExecution()) GiveUp(*pointer);
  ReallyRelease(pointer);
}

// Both, so that the static C++ library's object file that has them stays out of libheddle.
HEDDLE_EXPORT void* __cxa_begin_catch(void* exception) noexcept;
HEDDLE_EXPORT void* __cxa_begin_catch(void* exception) noexcept {
  if (InExecution()) NoteCatchInRound(Current());
  [[HEDDLE_LASTS("found once")]] static auto* real =
      reinterpret_cast<void* (*)(void*)>(FindInCppLibrary("__cxa_begin_catch"));
  return real(exception);
}

HEDDLE_EXPORT void __cxa_end_catch();
HEDDLE_EXPORT void __cxa_end_catch() {
  if (InExecution()) GiveUp(CaughtException());
  [[HEDDLE_LASTS("found once")]] static auto* real =
      reinterpret_cast<void (*)()>(FindInCppLibrary("__cxa_end_catch"));
  real();
}

}  // extern "C"
