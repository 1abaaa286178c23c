// Atomic stores of units that are compiled as C, or as C++ before C++20: there a relaxed store
// continues the release sequences that its own thread heads (primitives/atomic.h). heddle-cc puts
// these names in place of __tsan_atomic32_store and its like when it assembles such a unit
// (assembly/c11_stores.h), so the code itself says which rule is its own.

#include "runtime/export.h"
#include "runtime/primitives/atomic.h"
#include "runtime/primitives/atomic_bytes.h"

using namespace heddle::runtime;  // NOLINT: defines the interface's names in terms of ours

#define STORE_HOOKS(bits, bytes, type)                                                        \
  HEDDLE_EXPORT void heddle_c11_tsan_atomic##bits##_store(volatile type* address, type value, \
                                                          int order) {                        \
    AtomicStore(address, value, order | kC11Store, HEDDLE_CALLER);                            \
  }                                                                                           \
  HEDDLE_EXPORT void heddle_c11_atomic_store_##bytes(volatile type* address, type value,      \
                                                     int order) {                             \
    AtomicStore(address, value, order | kC11Store, HEDDLE_CALLER);                            \
  }

extern "C" {

STORE_HOOKS(8, 1, unsigned char)
STORE_HOOKS(16, 2, unsigned short)
STORE_HOOKS(32, 4, unsigned int)
STORE_HOOKS(64, 8, unsigned long)
STORE_HOOKS(128, 16, Word128)

HEDDLE_EXPORT void heddle_c11_atomic_store(size_t size, void* address, const void* value,
                                           int order) {
  AtomicStoreBytes(size, address, value, order | kC11Store, HEDDLE_CALLER);
}

}  // extern "C"
