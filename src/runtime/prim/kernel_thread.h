// Kernel threads that run on a stack and on a TLS block which are there already: under a debugger
// every fiber has one (fibers/kernel_threads.h).
#pragma once

#include <cstdint>

namespace heddle::runtime {

// Makes a kernel thread of this process. It continues in the context that PrepareStack laid out,
// whose stack pointer is `load`, with `thread_pointer` and with the caller's signal mask. The
// kernel writes the thread's number to *number before either of the two goes on. Answers the
// number, or -errno.
extern "C" long heddle_start_kernel_thread(void* load, uintptr_t thread_pointer, int* number);

// Ends the calling kernel thread without libc. It touches no memory but *word, which it sets to 1,
// and whose sleeper (SleepWhile) it wakes: so the stack and the TLS block are the caller's no more
// once the word is 1.
extern "C" [[noreturn]] void heddle_wake_and_end_thread(int* word);

// Where glibc keeps the kernel's number of the thread whose TLS block this is; null if this glibc
// does not tell. Debuggers read it; -1 there means that the thread has ended.
int* KernelNumberIn(uintptr_t thread_pointer);
inline constexpr int kEndedThread = -1;

// From here on the kernel writes nothing to the calling thread's TLS block when the thread ends.
void KeepStorageAtEnd();

}  // namespace heddle::runtime
