// Plain accesses of the program: race check, recording, and scheduling points under --points all.
//
// Nine out of ten events are plain accesses, and nearly all of them end in the inline part here:
// outside an execution nothing at all; writes are noted (NoteWritten); and unless there is one
// thread only, one comparison with shadow memory (check/data_race.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/data_race.h"
#include "runtime/fibers/recent_writes.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

inline bool PlainAccessesMatter() {
  return __builtin_expect(g_state.in_execution && g_state.several_threads, 1);
}

inline check::Accessor AccessorOf(const Fiber& fiber) {
  return {fiber.id, fiber.tick, fiber.clock};
}

// Plain accesses are scheduling points now.
inline bool PlainAccessesArePoints() { return g_state.all_points && PlainAccessesMatter(); }

// The plain access that the running thread is about to make is a scheduling point and an event,
// like an atomic one; which it conflicts with is told by byte (atoms.h). REQUIRES:
// PlainAccessesMatter(), size != 0.
void PlainPoint(uintptr_t address, size_t size, bool write, uintptr_t pc);

// Everything but the usual: recording, scheduling points (--points all, places that race), ignored,
// no race check wanted, more than 16
// bytes. REQUIRES: PlainAccessesMatter().
void SlowPlain(uintptr_t address, size_t size, bool write, uintptr_t pc);

// Such an access is made to memory that was freed. Returns as EndAccessToFreed does.
void EndPlainAccessToFreed(uintptr_t address, size_t size, bool write, uintptr_t pc);

// A plain access that races with nobody: there is one thread, or no race check.
inline void PlainAlone(uintptr_t address, size_t size, bool write, uintptr_t pc) {
  if (__builtin_expect(check::IsFreed(address, size), 0))
    EndPlainAccessToFreed(address, size, write, pc);
}

inline void Plain(const volatile void* pointer, unsigned size, bool write, uintptr_t pc) {
  if (!InExecution()) return;
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  Fiber& self = Current();
  if (write) NoteWritten(self, address, size);
  if (!PlainAccessesMatter()) return PlainAlone(address, size, write, pc);
  const bool unusual =
      g_state.recording | g_state.all_points | (g_state.places != 0) | !g_state.check_races;
  if (__builtin_expect(unusual || self.ignore_depth != 0, 0))
    return SlowPlain(address, size, write, pc);
  if (__builtin_expect(check::Access(AccessorOf(self), address, size, write, pc), 0))
    EndPlainAccessToFreed(address, size, write, pc);
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
  if (!PlainAccessesMatter()) {
    if (check::AnyIsFreed(address, size)) EndPlainAccessToFreed(address, size, write, pc);
    return;
  }
  SlowPlain(address, size, write, pc);
}

}  // namespace heddle::runtime
