#include "runtime/primitives/annotated.h"

#include "check/data_race.h"
#include "runtime/prim/lifetime.h"
#include "runtime/runtime.h"
#include "runtime/steps/commit.h"

namespace heddle::runtime {
namespace {

Object& Word(uintptr_t address) { return FindObject(address, ObjectKind::kWord); }
uintptr_t AddressOf(const volatile void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

// A lock has two clocks: what its writers released, kept at its address, and what its readers
// released, one byte on. So two readers do not learn from each other.
Object& WritersOf(const void* lock) { return Word(AddressOf(lock)); }
Object& ReadersOf(const void* lock) { return Word(AddressOf(lock) + 1); }

// As a read-modify-write with release would: what atomics released there stays.
void ReleaseAt(Object& object) {
  Fiber& self = Current();
  trace::ContinueSequences(object.release, object.heads, self.id, self.clock, g_state.bump,
                           g_state.shares_apart);
  BeginTick(self);
}

// The order is the program's word, not the language's.
void NoteAnnounced() {
  [[HEDDLE_LASTS("told once")]] static bool noted;
  if (noted) return;
  noted = true;
  NoteIncomplete(Incomplete::kAnnounced);
}

}  // namespace

void AnnotatedAcquire(const void* address) {
  if (!InExecution()) return;
  NoteAnnounced();
  AcquireFrom(Current(), Word(AddressOf(address)).release);
}

void AnnotatedRelease(const void* address) {
  if (InExecution()) ReleaseAt(Word(AddressOf(address)));
}

void AnnotatedLocked(const void* address, unsigned flags) {
  if (!InExecution() || (flags & kAnnotatedTryFailed) != 0) return;
  NoteAnnounced();
  AcquireFrom(Current(), WritersOf(address).release);
  if ((flags & kAnnotatedReadLock) == 0) AcquireFrom(Current(), ReadersOf(address).release);
}

void AnnotatedUnlocking(const void* address, unsigned flags) {
  if (!InExecution()) return;
  ReleaseAt((flags & kAnnotatedReadLock) != 0 ? ReadersOf(address) : WritersOf(address));
}

void IgnoreBegin() {
  if (!InExecution()) return;
  [[HEDDLE_LASTS("told once")]] static bool noted;
  if (!noted) NoteIncomplete(Incomplete::kIgnored);
  noted = true;
  ++Current().ignore_depth;
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
  [[HEDDLE_LASTS("only its address counts")]] static char handle;
  return &handle;
}

}  // namespace heddle::runtime
