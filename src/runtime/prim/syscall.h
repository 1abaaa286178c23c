// System calls without libc: no errno, no cancellation, nothing interposed.
#pragma once

namespace heddle::runtime {

// The kernel's answer: -errno on failure.
inline long RawSyscall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                       long f = 0) {
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

// The kernel answers a failed call with -4095 .. -1.
inline bool Failed(long answer) { return static_cast<unsigned long>(answer) > -4096ul; }

}  // namespace heddle::runtime
