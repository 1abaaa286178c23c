// Memory that an allocator of the program's own keeps from everybody: __asan_poison_memory_region
// (sanitizer/asan_interface.h). To poison memory is to give it back, as `free` does, and to
// unpoison it is to allocate it: an access in between is a use after free, and so is one that
// nothing orders with the former. Both are writes to all of it, so one that nothing orders with the
// latter is a race.
//
// Exact to 8 bytes: a granule of which a byte is not poisoned counts as not poisoned. The stack is
// left out: what lies there after a frame has returned belongs to another one.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::runtime {

// By the running thread, which called at `caller`. Outside an execution they do nothing.
void Poison(const volatile void* memory, size_t bytes, uintptr_t caller);
void Unpoison(const volatile void* memory, size_t bytes, uintptr_t caller);
// The first byte that must not be accessed, or null.
void* FirstPoisoned(void* memory, size_t bytes);

}  // namespace heddle::runtime
