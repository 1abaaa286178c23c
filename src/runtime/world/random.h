// Randomness that is the same in every execution: each thread has its own stream, which depends on
// the thread's number alone. The C library's rand() and its kin are ordinary memory and rewound
// with it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::runtime {

// True when the program's randomness must be ours, which includes its constructors.
bool RandomnessIsOurs();

uint64_t NextRandom64();
void FillRandom(void* buffer, size_t bytes);

// Is this the name of one of the kernel's random devices?
bool IsRandomDevice(const char* path);
// A descriptor from which a stretch of the running thread's random numbers can be read. -1 and
// errno on failure.
int OpenRandomBytes(int flags);

}  // namespace heddle::runtime
