// Real atomic operations of 1 to 16 bytes, for a program that runs outside heddle's control.
//
// On x86-64 every read-modify-write is sequentially consistent, every load acquires and every store
// releases; only a sequentially consistent store and a fence need more. 16 bytes go through
// cmpxchg16b, so nothing needs libatomic.
#pragma once

namespace heddle::runtime {

using Word128 = unsigned __int128;

// The value found: `desired` was stored iff it equals `expected`. REQUIRES: address aligned to 16.
inline Word128 HostCompareExchange(volatile Word128* address, Word128 expected, Word128 desired) {
  auto low = static_cast<unsigned long>(expected);
  auto high = static_cast<unsigned long>(expected >> 64);
  asm volatile("lock cmpxchg16b %0"
               : "+m"(*address), "+a"(low), "+d"(high)
               : "b"(static_cast<unsigned long>(desired)),
                 "c"(static_cast<unsigned long>(desired >> 64))
               : "cc", "memory");
  return Word128{high} << 64 | low;
}

template <typename T>
T HostCompareExchange(volatile T* address, T expected, T desired) {
  __atomic_compare_exchange_n(address, &expected, desired, false, __ATOMIC_SEQ_CST,
                              __ATOMIC_SEQ_CST);
  return expected;
}

template <typename T>
T HostLoad(const volatile T* address) {
  if constexpr (sizeof(T) == 16)
    return HostCompareExchange(const_cast<volatile T*>(address), T{0}, T{0});
  else
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);
}

// Replaces the value by change(value); answers the old one.
template <typename T, typename F>
T HostUpdate(volatile T* address, F change) {
  T expected = HostLoad(address);
  for (;;) {
    const T found = HostCompareExchange(address, expected, change(expected));
    if (found == expected) return found;
    expected = found;
  }
}

template <typename T>
T HostExchange(volatile T* address, T value) {
  if constexpr (sizeof(T) == 16)
    return HostUpdate(address, [&](T) { return value; });
  else
    return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);
}

template <typename T>
void HostStore(volatile T* address, T value, int order) {
  if constexpr (sizeof(T) == 16)
    HostExchange(address, value);
  else if ((order & 7) == __ATOMIC_SEQ_CST)
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);
  else
    __atomic_store_n(address, value, __ATOMIC_RELEASE);
}

// What GCC makes of __atomic_thread_fence; that itself it refuses in a build with ThreadSanitizer,
// which does not know fences.
inline void HostFence() { asm volatile("lock orq $0, (%%rsp)" : : : "cc", "memory"); }

}  // namespace heddle::runtime
