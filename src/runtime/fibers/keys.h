// Keys of pthread_key_create: values and creation are glibc's; we only run the destructors at the
// end of a thread.
#pragma once

#include <pthread.h>

#include <cstdint>

namespace heddle::runtime {

// Once, before the first execution.
void InitKeys();
void RememberKey(pthread_key_t key, void (*destructor)(void*));
void ForgetKey(pthread_key_t key);
// Those that the execution has made.
uint64_t HashOfKeys();
// Those of the running thread.
void RunKeyDestructors();
// The values of the first keys lie in the thread's own storage.
bool MayHaveKeyBlocks();

}  // namespace heddle::runtime
