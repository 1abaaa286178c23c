// Stacks and TLS blocks for fibers. A TLS block that glibc itself made is the only kind that works
// everywhere, so each fiber but main borrows the one of a kernel thread that was created once and
// sleeps for good, all signals blocked. Stacks are our own mappings (a guard page below), because
// only their used pages must exist.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/saved_bytes.h"
#include "runtime/fibers/fiber.h"

namespace heddle::runtime {

// What a thread has on its stack and in its TLS block are objects, whose addresses are their names:
// they follow from the thread's number, whichever process of the search it is, and whoever came
// first there. So both lie at their own places. Not at the same place of a large power of two
// (memory/execution_state.h).
inline constexpr uintptr_t kStacksBegin = 0x440000000000;  // above the tables of the execution
inline constexpr size_t kStackPlace = (size_t{64} << 20) + 37 * kPageBytes;
// Threads with a higher number lie where the kernel has room.
inline constexpr uint32_t kThreadPlaces = 1u << 16;

inline constexpr uintptr_t kStorageBegin = 0x4a0000000000;
inline constexpr size_t kStoragePlace = (size_t{1} << 20) + 37 * kPageBytes;

inline bool IsOnStack(uintptr_t address) {
  return address - kStacksBegin < kThreadPlaces * kStackPlace;
}
// On a stack, or in the TLS block of a thread other than main.
inline bool IsOfThread(uintptr_t address) {
  static_assert(kStacksBegin + kThreadPlaces * kStackPlace < kStorageBegin);
  constexpr uintptr_t kEnd = kStorageBegin + kThreadPlaces * kStoragePlace;
  return address - kStacksBegin < kEnd - kStacksBegin;
}
// The fiber of this execution on whose stack it lies, if the stack is heddle's; or null.
Fiber* FiberOfStack(uintptr_t address);
// In whose TLS block it lies, if that is no other than those at their places; or null.
Fiber* FiberOfStorage(uintptr_t address);

// Finds the bounds of main's TLS block and maps a stack for main. REQUIRES: called on main's TLS,
// once.
void InitPool();

// Makes TLS blocks for the fibers numbered below `count`. REQUIRES: no execution is running and no
// snapshot is held: creating kernel threads changes libc's data.
void GrowPool(uint32_t count);

// How many fibers have a TLS block.
uint32_t PoolSize();

// The fiber whose pthread_t this is, or null.
Fiber* FiberOfHandle(uintptr_t handle);

// The TLS block of that number. REQUIRES: number < PoolSize().
struct StorageRange {
  uintptr_t begin;
  uintptr_t end;
};
StorageRange StorageOf(uint32_t number);

// Gives `fiber` the TLS block of its number. REQUIRES: there is one.
void LendStorage(Fiber& fiber);

// Frees what the C library has allocated for the fiber's values of pthread keys. REQUIRES: the
// fiber runs, and sets no value any more.
void FreeKeyBlocks(const Fiber& fiber);

// Gives `fiber` a stack of at least `bytes`, or the program's own memory when `given` is not null.
void ProvideStack(Fiber& fiber, size_t bytes, char* given);

// The `bytes` at the top of the fiber's stack are about to be compared with what they will be
// later: what an earlier execution left there would be part of the state, and an execution would
// depend on those before it. Restarts the execution if they were not clear when it began; from then
// on they are.
void NeedClearStack(const Fiber& fiber, size_t bytes);

// The next executions find the stacks as new ones. REQUIRES: no execution is running.
void RenewStacks();

// The stacks of the threads that live, and of the one that runs: what is in use, and what is to be
// found below that as in a run from the beginning. REQUIRES: every thread's stack_pointer is where
// its stack ends.
// Not where a thread stands on a stack that the program made: how much it has left on its own is
// not known.
bool StacksCanBeSaved();
void SaveStacks(base::SavedBytes& to);
// REQUIRES: the fibers are restored, and StacksVersion is what it was.
void RestoreStacks(base::SavedBytesReader& from);
// Another number whenever a stack was mapped anew, or more of them is to be clear than before.
uint64_t StacksVersion();

// The stack size that pthread_create uses when nothing else is asked for (RLIMIT_STACK).
size_t DefaultStackSize();

}  // namespace heddle::runtime
