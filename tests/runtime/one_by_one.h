// Threads of the real runtime that make their operations one by one: a test says which of them is
// next. Between its operations a thread is neither before a scheduling point nor blocked, so each
// of them is the only one that is open, and there is no choice. The threads know nothing of each
// other: nobody created or joined them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "trace/execution.h"

namespace heddle::runtime {

// A new execution with so many threads. Other visible operations than before are forgotten.
void BeginOneByOne(uint32_t threads);
void EndOneByOne();

// `thread` does this, on its own stack. REQUIRES: it does not end the execution, nor wait.
void As(op::ThreadId thread, const std::function<void()>& operations);

// What happened so far. Valid until As() or BeginOneByOne().
trace::Execution SoFar();
// The objects of the last event, as it touched them.
std::vector<trace::Access> LastAccesses();
bool Raced();

// Memory that no execution has accessed, zero. `size` at most 512.
void* FreshMemory(size_t size);
// A place in the code of its own: races with the same two places are told once.
uintptr_t FreshPlace();

}  // namespace heddle::runtime
