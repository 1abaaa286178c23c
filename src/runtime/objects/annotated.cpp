#include "runtime/objects/annotated.h"

#include "check/data_race.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

Object& Word(uintptr_t address) { return FindObject(address, ObjectKind::kWord); }
uintptr_t AddressOf(const volatile void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

// A lock has two clocks: what its writers released, kept at its address, and what its readers
// released, one byte on. So two readers do not learn from each other.
Object& WritersOf(const void* lock) { return Word(AddressOf(lock)); }
Object& ReadersOf(const void* lock) { return Word(AddressOf(lock) + 1); }

}  // namespace

void AnnotatedAcquire(const void* address) {
  if (InExecution()) AcquireFrom(Current(), Word(AddressOf(address)).release);
}

void AnnotatedRelease(const void* address) {
  if (InExecution()) ReleaseInto(Current(), Word(AddressOf(address)).release);
}

void AnnotatedLocked(const void* address, unsigned flags) {
  if (!InExecution() || (flags & kAnnotatedTryFailed) != 0) return;
  AcquireFrom(Current(), WritersOf(address).release);
  if ((flags & kAnnotatedReadLock) == 0) AcquireFrom(Current(), ReadersOf(address).release);
}

void AnnotatedUnlocking(const void* address, unsigned flags) {
  if (!InExecution()) return;
  Object& clock = (flags & kAnnotatedReadLock) != 0 ? ReadersOf(address) : WritersOf(address);
  ReleaseInto(Current(), clock.release);
}

void IgnoreBegin() {
  if (InExecution()) ++Current().ignore_depth;
}

void IgnoreEnd() {
  if (InExecution() && Current().ignore_depth != 0) --Current().ignore_depth;
}

void AnnotatedBenignRace(const volatile void* address, size_t size) {
  if (InExecution()) check::AllowRaces(AddressOf(address), size);
}

void AnnotatedNewMemory(const volatile void* address, size_t size) {
  if (InExecution()) check::ForgetRange(AddressOf(address), size);
}

void* AnnotatedFiber() {
  static char handle;
  if (InExecution())
    NoteWeakness(
        "the program switches between coroutines of its own (__tsan_create_fiber): data races "
        "between"
        " coroutines of one thread are not looked for");
  return &handle;
}

}  // namespace heddle::runtime
