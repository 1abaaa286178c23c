#include "runtime/primitives/static_guard.h"

#include "runtime/prim/sleep.h"
#include "runtime/primitives/once.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

uintptr_t AddressOf(const uint8_t* guard) { return reinterpret_cast<uintptr_t>(guard); }

Object& FindGuard(const uint8_t* guard) { return FindOnce(AddressOf(guard), *guard != 0); }

void End(uint8_t* guard, bool done, uintptr_t pc) {
  Object& once = FindGuard(guard);
  OnceReachEnd(once, pc);
  *guard = done;
  OnceFinish(once, done ? guard : nullptr, done, pc);
}

// The second byte: somebody constructs.
uint8_t* BusyByte(uint8_t* guard) { return guard + 1; }

}  // namespace

bool GuardAcquire(uint8_t* guard, uintptr_t pc) { return OnceBegin(FindGuard(guard), pc); }
void GuardRelease(uint8_t* guard, uintptr_t pc) { End(guard, true, pc); }
void GuardAbort(uint8_t* guard, uintptr_t pc) { End(guard, false, pc); }

bool HostGuardAcquire(uint8_t* guard) {
  for (;;) {
    if (__atomic_load_n(guard, __ATOMIC_ACQUIRE) != 0) return false;
    if (__atomic_exchange_n(BusyByte(guard), uint8_t{1}, __ATOMIC_ACQUIRE) == 0) break;
    YieldProcessor();
  }
  if (__atomic_load_n(guard, __ATOMIC_ACQUIRE) == 0) return true;
  __atomic_store_n(BusyByte(guard), uint8_t{0}, __ATOMIC_RELEASE);  // done between the two looks
  return false;
}

void HostGuardEnd(uint8_t* guard, bool done) {
  if (done) __atomic_store_n(guard, uint8_t{1}, __ATOMIC_RELEASE);
  __atomic_store_n(BusyByte(guard), uint8_t{0}, __ATOMIC_RELEASE);
}

}  // namespace heddle::runtime
