// libatomic: what compilers call for atomics that they do not make instructions of, and so do not
// instrument either: 16 bytes with Clang unless -mcx16 is given, structures of odd sizes,
// everything in code compiled with -fno-inline-atomics. One line a symbol.
//
// The names are built into the compilers, so the functions here carry them as assembler names only.

#include "runtime/export.h"
#include "runtime/primitives/atomic.h"
#include "runtime/primitives/atomic_bytes.h"

using namespace heddle::runtime;  // NOLINT: this file defines libatomic's names in terms of ours

namespace {

using Atomic1 = unsigned char;
using Atomic2 = unsigned short;
using Atomic4 = unsigned int;
using Atomic8 = unsigned long;
using Atomic16 = Word128;

template <typename T>
T UpdateFetch(Fetch fetch, volatile T* address, T operand, int order, uintptr_t pc) {
  return Apply(fetch, AtomicFetch(fetch, address, operand, order, pc), operand);
}

template <typename T>
bool CompareExchange(volatile T* address, T* expected, T desired, int order, int failure_order,
                     uintptr_t pc) {
  const T wanted = *expected;
  const T found = AtomicCompareExchange(address, wanted, desired, order, failure_order, pc);
  if (found != wanted) *expected = found;
  return found == wanted;
}

}  // namespace

// A definition of `name` under the assembler name `symbol`.
#define NAMED(symbol, result, name, ...)                        \
  HEDDLE_EXPORT result name(__VA_ARGS__) HEDDLE_SYMBOL(symbol); \
  HEDDLE_EXPORT result name(__VA_ARGS__)

#define FETCH_HOOKS(bytes, lower, upper)                                         \
  NAMED("__atomic_fetch_" #lower "_" #bytes, Atomic##bytes, Fetch##upper##bytes, \
        volatile Atomic##bytes* address, Atomic##bytes operand, int order) {     \
    return AtomicFetch(Fetch::k##upper, address, operand, order, HEDDLE_CALLER); \
  }                                                                              \
  NAMED("__atomic_" #lower "_fetch_" #bytes, Atomic##bytes, upper##Fetch##bytes, \
        volatile Atomic##bytes* address, Atomic##bytes operand, int order) {     \
    return UpdateFetch(Fetch::k##upper, address, operand, order, HEDDLE_CALLER); \
  }

#define SIZED_HOOKS(bytes)                                                                         \
  NAMED("__atomic_load_" #bytes, Atomic##bytes, Load##bytes,                                       \
        const volatile Atomic##bytes* address, int order) {                                        \
    return AtomicLoad(address, order, HEDDLE_CALLER);                                              \
  }                                                                                                \
  NAMED("__atomic_store_" #bytes, void, Store##bytes, volatile Atomic##bytes* address,             \
        Atomic##bytes value, int order) {                                                          \
    AtomicStore(address, value, order, HEDDLE_CALLER);                                             \
  }                                                                                                \
  NAMED("__atomic_exchange_" #bytes, Atomic##bytes, Exchange##bytes,                               \
        volatile Atomic##bytes* address, Atomic##bytes value, int order) {                         \
    return AtomicExchange(address, value, order, HEDDLE_CALLER);                                   \
  }                                                                                                \
  NAMED("__atomic_compare_exchange_" #bytes, bool, CompareExchange##bytes,                         \
        volatile Atomic##bytes* address, Atomic##bytes* expected, Atomic##bytes desired,           \
        int order, int failure_order) {                                                            \
    return CompareExchange(address, expected, desired, order, failure_order, HEDDLE_CALLER);       \
  }                                                                                                \
  NAMED("__atomic_test_and_set_" #bytes, bool, TestAndSet##bytes, volatile Atomic##bytes* address, \
        int order) {                                                                               \
    return AtomicExchange(address, Atomic##bytes{1}, order, HEDDLE_CALLER) != 0;                   \
  }                                                                                                \
  FETCH_HOOKS(bytes, add, Add)                                                                     \
  FETCH_HOOKS(bytes, sub, Sub)                                                                     \
  FETCH_HOOKS(bytes, and, And)                                                                     \
  FETCH_HOOKS(bytes, or, Or)                                                                       \
  FETCH_HOOKS(bytes, xor, Xor)                                                                     \
  FETCH_HOOKS(bytes, nand, Nand)

extern "C" {

SIZED_HOOKS(1)
SIZED_HOOKS(2)
SIZED_HOOKS(4)
SIZED_HOOKS(8)
SIZED_HOOKS(16)

NAMED("__atomic_load", void, LoadBytes, size_t size, const void* address, void* result, int order) {
  AtomicLoadBytes(size, address, result, order, HEDDLE_CALLER);
}
NAMED("__atomic_store", void, StoreBytes, size_t size, void* address, const void* value,
      int order) {
  AtomicStoreBytes(size, address, value, order, HEDDLE_CALLER);
}
NAMED("__atomic_exchange", void, ExchangeBytes, size_t size, void* address, const void* value,
      void* result, int order) {
  AtomicExchangeBytes(size, address, value, result, order, HEDDLE_CALLER);
}
NAMED("__atomic_compare_exchange", bool, CompareExchangeBytes, size_t size, void* address,
      void* expected, const void* desired, int order, int failure_order) {
  return AtomicCompareExchangeBytes(size, address, expected, desired, order, failure_order,
                                    HEDDLE_CALLER);
}

}  // extern "C"
