// An operation on a synchronisation object is a use of its memory, and to free a block is a write
// to all of it: each depends on the other, and in the order free, operation the execution ends as a
// use after free, as it does with any access.
//
// Objects are not memory (objects/object.h), and a block need not know which are in it. So an
// operation reads a byte of its object's memory, too, by an event of its own within the same step
// ("uses"). Only a free that is a scheduling point can be told from it; one becomes a scheduling
// point, as a plain access that races does (places.h), as soon as the race check sees a use that
// nothing orders with it. Where every free is ordered with every use, whatever orders them is
// reversed anyway.
//
// That the memory was freed, and by whom, is known from the race check's shadow memory, so it is
// forgotten when the memory is allocated again. Accesses to memory ask there for themselves.
#pragma once

#include <cstdint>

#include "runtime/memory/program_heap.h"
#include "runtime/places.h"
#include "runtime/runtime.h"
#include "runtime/steps/frames.h"

namespace heddle::runtime {

void BeginUseOfMemory(const op::Operation& operation, const Object& object);
void BeginUseOnStack(const op::Operation& operation, const Object& object);
void CommitUse(uintptr_t address, uintptr_t pc);

// May the memory at the address be given back: a block of the heap, a mapping, or a static object
// that has a destructor?
inline bool MayEnd(uintptr_t address) {
  return __builtin_expect(IsOnHeap(address), 0) ||
         (__builtin_expect(g_state.memory_ends, 0) && !IsOfThread(address));
}

// The running thread was let go with `operation`, which uses the memory of `object`. Does not
// return if that was freed, or its frame has returned.
inline void BeginUse(const op::Operation& operation, const Object& object) {
  if (MayEnd(object.address))
    BeginUseOfMemory(operation, object);
  else if (__builtin_expect(IsOfThread(object.address), 0))
    BeginUseOnStack(operation, object);
}

// The operation took effect.
inline void EndUse(const Object& object, uintptr_t pc) {
  if (__builtin_expect(FreesAreSteps(), 0) && MayEnd(object.address)) CommitUse(object.address, pc);
  if (__builtin_expect(g_state.frame_ends, 0)) CommitUseOnStack(object.address, pc);
}

// The running thread makes this access, of `size` bytes, or has made it: to memory that was freed,
// or to bytes of the heap that nobody asked for. Returns only if what was freed was unmapped, and
// is mapped again (it is new then), or if there is no block for the access to be out of.
void EndBadAccess(const op::Operation& access, size_t size);
// The running thread reads what nobody has written. REQUIRES: in a live block.
[[noreturn]] void EndUninitialisedRead(const op::Operation& access);
// Is it beside a block, or in one that was freed before main? Takes long.
bool IsOutsideBlocks(uintptr_t address, size_t size);

// The running thread was to make this access, to a frame of `owner` that has returned; it is
// committed as an attempt.
[[noreturn]] void EndAccessToFrame(const op::Operation& access, const Fiber& owner);

}  // namespace heddle::runtime
