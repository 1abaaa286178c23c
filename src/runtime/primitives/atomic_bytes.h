// Atomic accesses of any size and alignment, as libatomic's generic functions make them for types
// that the compiler finds too large or not aligned enough. In an execution any
// number of bytes is accessed in one step; outside, those that no instruction can handle share one
// lock (everybody who could touch them comes here, so the lock is enough).
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::runtime {

void AtomicLoadBytes(size_t size, const void* address, void* result, int order, uintptr_t pc);
void AtomicStoreBytes(size_t size, void* address, const void* value, int order, uintptr_t pc);
void AtomicExchangeBytes(size_t size, void* address, const void* value, void* result, int order,
                         uintptr_t pc);
// Whether the object was equal to `expected` and was replaced; if not, `expected` becomes what was
// found.
bool AtomicCompareExchangeBytes(size_t size, void* address, void* expected, const void* desired,
                                int order, int failure_order, uintptr_t pc);

}  // namespace heddle::runtime
