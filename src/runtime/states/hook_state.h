// What --visited counters goes by: how often each thread has called heddle_hook, and what the
// threads share (Holt, "The One Page Model Checker", sections 4 and 6;
// docs/algorithms/one_page.md).
#pragma once

#include <cstddef>
#include <cstdint>

#include "plan/visited.h"

namespace heddle::runtime {

// An execution begins.
void BeginHooks();
// All threads stand before their next operations, or have ended: asks the search whether that was
// visited, and ends the execution if so, or if it is a race condition.
void VisitCounters();

inline constexpr uint32_t kMostRanges = 64;
// heddle_shared: these bytes are shared. False: there are more than there is room for.
bool NoteShared(uintptr_t begin, size_t bytes);
// Was there any? Else all memory is.
bool SharesRanges();
// A semaphore of heddle_up and heddle_down was lowered (or raised).
void NoteUp(uintptr_t semaphore, bool up);

// The combined execution counter: the calls of heddle_hook of every thread. A thread that does not
// stand before one, because it has to wait in the middle of a statement, or has ended, is no thread
// that stands there: where it is, is part of the key.
plan::Key CountersKey();
// What heddle_shared named, and which semaphores are up.
plan::Key SharedKey();

}  // namespace heddle::runtime
