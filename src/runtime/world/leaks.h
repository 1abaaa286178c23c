// Blocks that nothing points to when the program ends (--leaks).
//
// Like LeakSanitizer, which runs at the same moment, behind all exit handlers and destructors: what
// the program can still reach is no leak. Reachable is what a word of these holds the address of,
// or one within or just behind the block, and what is in turn in a reachable block:
//
//   * memory of the program that was written since main began: its modules', the blocks that were
//     allocated before that, the thread-local storage of threads that have not ended
//   * stacks and registers of threads that have not ended, from where they stand up
//   * what heddle keeps for the program: arguments of threads that have not begun, results that
//     nobody has fetched, arguments of destructors
//
// Words at multiples of 4, of which the upper 16 bits do not count: lock-free code has counters
// there. So what is told is lost, but for pointers in another form (as the difference of two) and
// those that only the kernel has (epoll). A stale word may hide a leak; which words there are
// follows from the schedule.
//
// A finding for each place in the code whose blocks are lost, of those that no other lost block
// points to (of a circle, the first by address), so that none hides another. The place of its
// allocation is noted for every block; the calls that led there only where a leak was seen before
// (WatchLeakPlace): then there is a finding for each stack, as LeakSanitizer has them.
//
// REQUIRES: --leaks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/control.h"

namespace heddle::runtime {

void InitLeaks();

inline bool LooksForLeaks() { return ChannelHeader().settings.leaks != 0; }

// `pc` has allocated the block. REQUIRES: LooksForLeaks(), in an execution.
void NoteAllocationPlace(uintptr_t payload, uintptr_t pc);

// The program says that the block with this address is meant to be lost, or what the running thread
// allocates from here to the end of the section; and what only these point to. Not of blocks that
// were allocated before main. Nothing without --leaks.
void IgnoreLeakOf(const void* object);
void DisableLeaks();
void EnableLeaks();

// From now on, what `pc` allocates is told apart by its stack, too. False: it is already. Lasts.
bool WatchLeakPlace(uintptr_t pc);

// How many. What was allocated before one of them lacks its stack.
uint32_t WatchedLeakPlaces();

// The running thread has called exit: from `lowest` up its stack has what it knew then.
void NoteExitFrame(uintptr_t lowest);

// The running thread has returned from main or called exit(0), and every exit handler has run. May
// end the execution.
void CheckLeaks();

}  // namespace heddle::runtime
