// The ThreadSanitizer interface, atomics: what GCC 12 and Clang 14 call in place of each one when
// they compile with -fsanitize=thread. One line a symbol for each width; primitives/atomic.h has
// what they do.
//
// GCC and Clang pass the expected value of a compare-exchange by pointer (_strong, _weak), Clang's
// own lowering by value (_val). A weak one never fails spuriously here.

#include "runtime/export.h"
#include "runtime/primitives/atomic.h"

using namespace heddle::runtime;  // NOLINT: defines the interface's names in terms of ours

namespace {

using Atomic8 = unsigned char;
using Atomic16 = unsigned short;
using Atomic32 = unsigned int;
using Atomic64 = unsigned long;
using Atomic128 = Word128;

template <typename T>
int CompareExchange(volatile T* address, T* expected, T desired, int order, int failure_order,
                    uintptr_t pc) {
  const T wanted = *expected;
  HashCallArgument(expected);
  const T found = AtomicCompareExchange(address, wanted, desired, order, failure_order, pc);
  if (found == wanted) return 1;
  *expected = found;
  return 0;
}

}  // namespace

#define FETCH_HOOK(bits, name, fetch)                                                              \
  HEDDLE_EXPORT Atomic##bits __tsan_atomic##bits##_fetch_##name(volatile Atomic##bits* address,    \
                                                                Atomic##bits operand, int order) { \
    return AtomicFetch(fetch, address, operand, order, HEDDLE_CALLER);                             \
  }

#define COMPARE_EXCHANGE_HOOK(bits, name)                                                      \
  HEDDLE_EXPORT int __tsan_atomic##bits##_compare_exchange_##name(                             \
      volatile Atomic##bits* address, Atomic##bits* expected, Atomic##bits desired, int order, \
      int failure_order) {                                                                     \
    return CompareExchange(address, expected, desired, order, failure_order, HEDDLE_CALLER);   \
  }

#define ATOMIC_HOOKS(bits)                                                                         \
  HEDDLE_EXPORT Atomic##bits __tsan_atomic##bits##_load(const volatile Atomic##bits* address,      \
                                                        int order) {                               \
    return AtomicLoad(address, order, HEDDLE_CALLER);                                              \
  }                                                                                                \
  HEDDLE_EXPORT void __tsan_atomic##bits##_store(volatile Atomic##bits* address,                   \
                                                 Atomic##bits value, int order) {                  \
    AtomicStore(address, value, order, HEDDLE_CALLER);                                             \
  }                                                                                                \
  HEDDLE_EXPORT Atomic##bits __tsan_atomic##bits##_exchange(volatile Atomic##bits* address,        \
                                                            Atomic##bits value, int order) {       \
    return AtomicExchange(address, value, order, HEDDLE_CALLER);                                   \
  }                                                                                                \
  FETCH_HOOK(bits, add, Fetch::kAdd)                                                               \
  FETCH_HOOK(bits, sub, Fetch::kSub)                                                               \
  FETCH_HOOK(bits, and, Fetch::kAnd)                                                               \
  FETCH_HOOK(bits, or, Fetch::kOr)                                                                 \
  FETCH_HOOK(bits, xor, Fetch::kXor)                                                               \
  FETCH_HOOK(bits, nand, Fetch::kNand)                                                             \
  COMPARE_EXCHANGE_HOOK(bits, strong)                                                              \
  COMPARE_EXCHANGE_HOOK(bits, weak)                                                                \
  HEDDLE_EXPORT Atomic##bits __tsan_atomic##bits##_compare_exchange_val(                           \
      volatile Atomic##bits* address, Atomic##bits expected, Atomic##bits desired, int order,      \
      int failure_order) {                                                                         \
    return AtomicCompareExchange(address, expected, desired, order, failure_order, HEDDLE_CALLER); \
  }

extern "C" {

// In place of fetch_add and fetch_sub of 32 bits whose result nobody looks at, where heddle-cc has
// put them (assembly/unseen_adds.h).
HEDDLE_EXPORT Atomic32 heddle_add_unseen(volatile Atomic32* address, Atomic32 operand, int order) {
  return AtomicAdd(Fetch::kAdd, address, operand, order, HEDDLE_CALLER);
}
HEDDLE_EXPORT Atomic32 heddle_sub_unseen(volatile Atomic32* address, Atomic32 operand, int order) {
  return AtomicAdd(Fetch::kSub, address, operand, order, HEDDLE_CALLER);
}

ATOMIC_HOOKS(8)
ATOMIC_HOOKS(16)
ATOMIC_HOOKS(32)
ATOMIC_HOOKS(64)
ATOMIC_HOOKS(128)

HEDDLE_EXPORT void __tsan_atomic_thread_fence(int order) { AtomicFence(order, HEDDLE_CALLER); }

// Orders a thread against its own signal handlers only: a matter of the compiler.
HEDDLE_EXPORT void __tsan_atomic_signal_fence(int) {}

// A barrier that synchronises without ordering anything in the eyes of the race check, as the
// sanitizer's own tests need it. The word counts arrivals in its low half and holds the number of
// threads in its high half.
HEDDLE_EXPORT void __tsan_testonly_barrier_init(volatile Atomic64* barrier, unsigned count) {
  AtomicStore(barrier, Atomic64{count} << 32, __ATOMIC_RELAXED, HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_testonly_barrier_wait(volatile Atomic64* barrier) {
  const uintptr_t pc = HEDDLE_CALLER;
  const Atomic64 old = AtomicFetch(Fetch::kAdd, barrier, Atomic64{1}, __ATOMIC_RELAXED, pc);
  const Atomic64 count = old >> 32;
  const Atomic64 round = (old & 0xffffffff) / count;
  while ((AtomicLoad(barrier, __ATOMIC_RELAXED, pc) & 0xffffffff) / count == round) {
  }
}

}  // extern "C"
