// What an atomic access reads, and what becomes of what it writes: the one place that knows.
//
// Under sequential consistency a read reads from the newest write, and a write is the newest.
// Memory always holds that one, so nothing has to be asked and nothing else is kept. Whatever else
// looks at such memory (plain accesses, the kernel, instructions of asm statements) sees the newest
// write under every model.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/prim/copy.h"

namespace heddle::runtime {

class SequentialConsistency {
 public:
  // The kernel, in the word of a futex.
  static uint32_t ReadFutex(const uint32_t* word) { return Read(word); }

 private:
  friend class AtomicStep;

  // The program's memory may lie at any address: the CPU asks no atomic of up to 8 bytes to be
  // aligned, but the compiler takes a T for it. Nobody else runs meanwhile, so what reads and
  // writes it here need not be atomic.
  template <typename T>
  static T Read(const volatile T* address) {
    return reinterpret_cast<const volatile Unaligned<T>*>(address)->value;
  }
  template <typename T>
  static void Write(volatile T* address, T value) {
    reinterpret_cast<volatile Unaligned<T>*>(address)->value = value;
  }
  // Writes, and returns what was there.
  template <typename T>
  static T Replace(volatile T* address, T value) {
    const T old = Read(address);
    Write(address, value);
    return old;
  }
  static void ReadBytes(uintptr_t address, void* value, size_t size) {
    CopyForward(value, reinterpret_cast<const void*>(address), size);
  }
  static bool Holds(uintptr_t address, const void* value, size_t size) {
    return EqualBytes(reinterpret_cast<const void*>(address), value, size);
  }
  // REQUIRES: size is 1, 2, 4 or 8.
  static void WriteWord(uintptr_t address, uint64_t value, size_t size) {
    switch (size) {
      case 1:
        return Write(reinterpret_cast<uint8_t*>(address), static_cast<uint8_t>(value));
      case 2:
        return Write(reinterpret_cast<uint16_t*>(address), static_cast<uint16_t>(value));
      case 4:
        return Write(reinterpret_cast<uint32_t*>(address), static_cast<uint32_t>(value));
      default:
        return Write(reinterpret_cast<uint64_t*>(address), value);
    }
  }
  static void WriteBytes(uintptr_t address, const void* value, size_t size) {
    CopyForward(reinterpret_cast<void*>(address), value, size);
  }
};

using MemoryModel = SequentialConsistency;

}  // namespace heddle::runtime
