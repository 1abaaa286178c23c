// Events under tso and c11: the memory of the execution that runs (weak/weak_memory.h), and what is
// told to it of events that are no atomic accesses.
#pragma once

#include "runtime/runtime.h"
#include "runtime/weak/weak_memory.h"

namespace heddle::runtime {

class Touches;

// Null under sequential consistency. Its functions are called away from the program
// (OutsideExecution): they use vectors.
extern WeakMemory* g_weak;

// Once, before the first execution.
void InitWeakMemory();
// Before each.
void BeginWeakExecution();

inline WeakMemory::Who WhoIs(const Fiber& self) { return {self.id, self.clock, self.now}; }

// Does x86, too, allow the execution so far? REQUIRES: g_state.weak.
bool IsOnX86();

// A tick of `self` ends (BeginTick).
void EndTickOfWeakMemory(const Fiber& self);

// `self` is about to write down the end of an initialisation, by which `flag` becomes 1: a release
// store of it, which comes before the end. REQUIRES: g_state.weak.
void TellFlagOfOnce(const Fiber& self, const Object& flag);

// Is the word of a futex, which is that atom, accessed as a whole? Else operations on the futex are
// not modelled. Then a wait tells its comparison by itself (ReadFutexWeak).
inline bool IsFutexWord(const Object& atom) { return atom.atom_bytes == sizeof(uint32_t); }
// The wake that was written down last lets go a thread that sleeps. REQUIRES: g_state.weak.
void TellWoken(op::ThreadId thread);

// The graph has no room for more events of `self`. REQUIRES: g_state.weak.
[[noreturn]] void EndAtGraphLimit(const Fiber& self, uintptr_t pc);

// `self` is about to write down an event that accesses `object`, or nothing.
// REQUIRES: g_state.weak; not of an atomic access to one atom, which tells it itself.
void TellWeakMemory(const Fiber& self, const op::Operation& operation, const Object* object,
                    op::Access access);

}  // namespace heddle::runtime
