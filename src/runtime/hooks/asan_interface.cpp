// What AddressSanitizer offers to allocators (sanitizer/asan_interface.h). One line a symbol;
// world/poison.h has what they do.

#include <cstddef>

#include "runtime/export.h"
#include "runtime/runtime.h"
#include "runtime/world/poison.h"

using namespace heddle::runtime;  // NOLINT: defines the interface's names in terms of ours

extern "C" {

HEDDLE_EXPORT void __asan_poison_memory_region(const volatile void* address, size_t size) {
  Poison(address, size, HEDDLE_CALLER);
}
HEDDLE_EXPORT void __asan_unpoison_memory_region(const volatile void* address, size_t size) {
  Unpoison(address, size, HEDDLE_CALLER);
}
HEDDLE_EXPORT int __asan_address_is_poisoned(const volatile void* address) {
  return FirstPoisoned(const_cast<void*>(address), 1) != nullptr;
}
HEDDLE_EXPORT void* __asan_region_is_poisoned(void* address, size_t size) {
  return FirstPoisoned(address, size);
}

}  // extern "C"
