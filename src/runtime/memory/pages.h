// Memory straight from the kernel: what the heaps and the snapshot are built on. Nothing here calls
// libc.
#pragma once

#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "runtime/prim/page.h"
#include "runtime/prim/syscall.h"

namespace heddle::runtime {

// Where ReserveMemory looks for room. Not where the kernel does when the program maps memory: what
// the program gets would depend on how much heddle has, and that on what the process has done
// before.
extern uintptr_t g_reserve_from;

// Zeroed memory of heddle's own; costs address space only until it is touched.
inline void* ReserveMemory(size_t bytes) {
  long answer =
      RawSyscall(SYS_mmap, static_cast<long>(g_reserve_from), static_cast<long>(bytes),
                 PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  HEDDLE_CHECK(!Failed(answer));
  constexpr size_t kApart = 37 * kPageBytes;  // as of tables (execution_state.h)
  g_reserve_from += RoundUp(bytes, kPageBytes) + kApart;
  return reinterpret_cast<void*>(answer);
}

inline void UnmapMemory(void* begin, size_t bytes) {
  RawSyscall(SYS_munmap, reinterpret_cast<long>(begin), static_cast<long>(bytes));
}

inline void AdviseMemory(void* begin, size_t bytes, int advice) {
  RawSyscall(SYS_madvise, reinterpret_cast<long>(begin), static_cast<long>(bytes), advice);
}

// Zeroed memory at exactly [begin, begin + bytes). False when something else lives there.
inline bool MapAt(uintptr_t begin, size_t bytes) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
  long answer = RawSyscall(SYS_mmap, static_cast<long>(begin), static_cast<long>(bytes),
                           PROT_READ | PROT_WRITE, flags, -1, 0);
  if (Failed(answer)) return false;
  if (static_cast<uintptr_t>(answer) == begin) return true;
  // Before Linux 4.17 the flag is only a hint.
  UnmapMemory(reinterpret_cast<void*>(answer), bytes);
  return false;
}

}  // namespace heddle::runtime
