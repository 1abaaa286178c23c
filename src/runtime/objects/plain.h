// Plain accesses of the program: race check, recording, and scheduling points under --points all.
//
// Nine out of ten events are plain accesses, and nearly all of them end in the inline part here:
// outside an execution and while there is one thread nothing at all, else one comparison with
// shadow memory (check/data_race.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/data_race.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

// Gives the race check its memory. REQUIRES: called once in a controlled process, before
// check::BeginExecution.
void SetUpRaceCheck();

inline bool PlainAccessesMatter() {
  return __builtin_expect(g_state.in_execution && g_state.several_threads, 1);
}

inline check::Accessor AccessorOf(const Fiber& fiber) {
  return {fiber.id, fiber.tick, fiber.clock};
}

// What a thread writes to its own stack is part of the state that fibers/spin.cpp compares: not
// counted as a write.
inline bool IsOnOwnStack(const Fiber& self, uintptr_t address) {
  return address - reinterpret_cast<uintptr_t>(self.stack_begin) < self.stack_size;
}

// Everything but the usual: recording, --points all, ignored, no race check wanted, more than 16
// bytes. REQUIRES: PlainAccessesMatter().
void SlowPlain(uintptr_t address, size_t size, bool write, uintptr_t pc);

inline void Plain(const volatile void* pointer, unsigned size, bool write, uintptr_t pc) {
  if (!PlainAccessesMatter()) return;
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  Fiber& self = Current();
  const bool unusual = g_state.recording | g_state.all_points | !g_state.check_races;
  if (__builtin_expect(unusual || self.ignore_depth != 0, 0))
    return SlowPlain(address, size, write, pc);
  if (write && !IsOnOwnStack(self, address)) ++self.writes;
  check::Access(AccessorOf(self), address, size, write, pc);
}

inline void PlainRange(const volatile void* pointer, size_t size, bool write, uintptr_t pc) {
  if (PlainAccessesMatter() && size != 0)
    SlowPlain(reinterpret_cast<uintptr_t>(pointer), size, write, pc);
}

}  // namespace heddle::runtime
