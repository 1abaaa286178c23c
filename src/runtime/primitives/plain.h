// Plain accesses of the program: race check, recording, and scheduling points under --points all.
//
// Nine out of ten events are plain accesses, and nearly all of them end in the inline part here:
// outside an execution nothing at all; writes are noted (NoteWritten); and unless there is one
// thread only, one comparison with shadow memory (check/data_race.h). Those that do not, or begin
// an execution's only thread, are compared with the bounds of the heap's blocks, too
// (memory/heap_bounds.h): what repeats an access repeats one that was within them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/data_race.h"
#include "runtime/loops/recent_writes.h"
#include "runtime/memory/program_heap.h"
#include "runtime/places.h"
#include "runtime/primitives/uninitialised.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

inline bool PlainAccessesMatter() {
  return __builtin_expect(g_state.in_execution && g_state.several_threads, 1);
}

inline check::Accessor AccessorOf(const Fiber& fiber) {
  return {fiber.id, fiber.tick, fiber.clock};
}

// Is a plain access of the code that returns to `pc` a scheduling point?
inline bool IsPlainPoint(uintptr_t pc) {
  return __builtin_expect(g_state.all_points | (g_state.places != 0), 0) && PlainAccessesMatter() &&
         (g_state.all_points || ((g_state.places & kVisiblePlaces) != 0 && IsVisiblePlace(pc)));
}

// The plain access that the running thread is about to make is a scheduling point and an event,
// like an atomic one; which it conflicts with is told by byte (atoms.h). REQUIRES:
// PlainAccessesMatter(), size != 0.
void PlainPoint(uintptr_t address, size_t size, bool write, uintptr_t pc);

// Everything but the usual: recording, scheduling points (--points all, places that race), ignored,
// no race check wanted, --uninitialised. REQUIRES: PlainAccessesMatter().
void SlowPlain(uintptr_t address, size_t size, bool write, uintptr_t pc);
// A range, which may be copied: to read it is not to look at it.
void SlowRange(uintptr_t address, size_t size, bool write, uintptr_t pc);

// Such an access is made to memory that was freed, or is in no block. Returns as EndBadAccess does.
void EndBadPlainAccess(uintptr_t address, size_t size, bool write, uintptr_t pc);

// Is it on the heap, and not within a live block? REQUIRES: 0 < size <= 16.
inline bool IsOutOfBounds(uintptr_t address, size_t size) {
  return IsOnHeap(address) && __builtin_expect(!g_program_heap.IsInBlock(address, size), 0);
}
// Of any size but 0.
inline bool IsRangeOutOfBounds(uintptr_t address, size_t size) {
  return IsOnHeap(address) && !g_program_heap.IsAllInBlock(address, size);
}

// Such an access is bad, or somebody asks whether it reads what nobody has written.
void JudgePlainAlone(uintptr_t address, size_t size, bool write, uintptr_t pc, bool bad);

// A plain access that races with nobody: there is one thread, or no race check. Of an arena the
// bounds tell what is poisoned, too. REQUIRES: as above.
inline void PlainAlone(uintptr_t address, size_t size, bool write, uintptr_t pc) {
  const bool bad = IsInProgramHeap(address)
                       ? !g_program_heap.IsInBlock(address, size)
                       : IsOutOfBounds(address, size) || check::IsFreed(address, size);
  if (__builtin_expect(bad | LooksForUnwritten(), 0))
    JudgePlainAlone(address, size, write, pc, bad);
}
inline void PlainRangeAlone(uintptr_t address, size_t size, bool write, uintptr_t pc) {
  const bool bad = IsRangeOutOfBounds(address, size) ||
                   (!IsInProgramHeap(address) && check::AnyIsFreed(address, size));
  if (__builtin_expect(bad, 0)) EndBadPlainAccess(address, size, write, pc);
}

// A plain access that may be no repeated one.
[[gnu::noinline]] void NewPlain(const Fiber& self, uintptr_t address, unsigned size, bool write,
                                uintptr_t pc);

// In each hook of its own: size and direction are constants there, and what ends here saves no
// registers.
[[gnu::always_inline]] inline void Plain(const volatile void* pointer, unsigned size, bool write,
                                         uintptr_t pc) {
  if (!InExecution()) return;
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  Fiber& self = Current();
  if (write) NoteWritten(self, address, size);
  if (!PlainAccessesMatter()) return PlainAlone(address, size, write, pc);
  const bool unusual =
      g_state.recording | g_state.all_points | (g_state.places != 0) | !g_state.check_races;
  if (__builtin_expect(unusual || self.ignore_depth != 0, 0))
    return SlowPlain(address, size, write, pc);
  if (__builtin_expect(check::IsRepeatedAccess(AccessorOf(self), address, size, write), 1)) return;
  NewPlain(self, address, size, write, pc);
}

// --volatile atomic: a relaxed atomic access, as far as races and scheduling go. REQUIRES:
// PlainAccessesMatter().
void VolatileAtomic(uintptr_t address, unsigned size, bool write, uintptr_t pc);

inline void Volatile(const volatile void* pointer, unsigned size, bool write, uintptr_t pc) {
  if (__builtin_expect(!g_state.volatile_atomic, 1)) return Plain(pointer, size, write, pc);
  if (!InExecution()) return;
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  if (write) NoteWritten(Current(), address, size);
  if (!PlainAccessesMatter()) return PlainAlone(address, size, write, pc);
  VolatileAtomic(address, size, write, pc);
}

inline void PlainRange(const volatile void* pointer, size_t size, bool write, uintptr_t pc) {
  if (!InExecution() || size == 0) return;
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  if (write) NoteWritten(Current(), address, size);
  if (!PlainAccessesMatter()) return PlainRangeAlone(address, size, write, pc);
  SlowRange(address, size, write, pc);
}

}  // namespace heddle::runtime
