// Synchronisation that the program announces (hooks/annotations.cpp). Outside an execution all of
// this does nothing.
#pragma once

#include <cstddef>

namespace heddle::runtime {

// Flags of the __tsan_mutex_* functions that matter here.
inline constexpr unsigned kAnnotatedReadLock = 1u << 3;
inline constexpr unsigned kAnnotatedTryFailed = 1u << 5;

// Whoever acquires `address` after a release knows what the releasing thread knew.
void AnnotatedAcquire(const void* address);
void AnnotatedRelease(const void* address);

void AnnotatedLocked(const void* address, unsigned flags);
void AnnotatedUnlocking(const void* address, unsigned flags);

// Plain and atomic accesses of the running thread are not checked for races. Nests.
void IgnoreBegin();
void IgnoreEnd();

void AnnotatedBenignRace(const volatile void* address, size_t size);
void AnnotatedNewMemory(const volatile void* address, size_t size);

// The one handle that stands for every coroutine.
void* AnnotatedFiber();

}  // namespace heddle::runtime
