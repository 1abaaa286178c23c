// Annotations: what libraries tell a race detector about synchronisation that it cannot see. They
// change what the race check knows, never what is scheduled. One line a symbol.
//
// Names and meanings are those of the ThreadSanitizer interface, and of the older Annotate* macros
// that came with Valgrind's race detectors; the file, line and description that the latter pass are
// not needed.

#include "runtime/export.h"
#include "runtime/primitives/annotated.h"
#include "runtime/runtime.h"

using namespace heddle::runtime;  // NOLINT: defines the interface's names in terms of ours

extern "C" {

HEDDLE_EXPORT void __tsan_acquire(void* address) { AnnotatedAcquire(address); }
HEDDLE_EXPORT void __tsan_release(void* address) { AnnotatedRelease(address); }

HEDDLE_EXPORT void __tsan_ignore_thread_begin(void) { IgnoreBegin(); }
HEDDLE_EXPORT void __tsan_ignore_thread_end(void) { IgnoreEnd(); }

// Locks of the program's own. Between `pre` and `post` its inner accesses are not checked.
HEDDLE_EXPORT void __tsan_mutex_create(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_destroy(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_pre_lock(void*, unsigned) { IgnoreBegin(); }
HEDDLE_EXPORT void __tsan_mutex_post_lock(void* address, unsigned flags, int) {
  IgnoreEnd();
  AnnotatedLocked(address, flags);
}
HEDDLE_EXPORT int __tsan_mutex_pre_unlock(void* address, unsigned flags) {
  AnnotatedUnlocking(address, flags);
  IgnoreBegin();
  return 0;
}
HEDDLE_EXPORT void __tsan_mutex_post_unlock(void*, unsigned) { IgnoreEnd(); }
HEDDLE_EXPORT void __tsan_mutex_pre_signal(void*, unsigned) { IgnoreBegin(); }
HEDDLE_EXPORT void __tsan_mutex_post_signal(void*, unsigned) { IgnoreEnd(); }
HEDDLE_EXPORT void __tsan_mutex_pre_divert(void*, unsigned) { IgnoreEnd(); }
HEDDLE_EXPORT void __tsan_mutex_post_divert(void*, unsigned) { IgnoreBegin(); }

// Coroutines that the program switches between by itself. They stay part of the thread that runs
// them.
HEDDLE_EXPORT void* __tsan_get_current_fiber(void) { return AnnotatedFiber(); }
HEDDLE_EXPORT void* __tsan_create_fiber(unsigned) { return AnnotatedFiber(); }
HEDDLE_EXPORT void __tsan_destroy_fiber(void*) {}
HEDDLE_EXPORT void __tsan_switch_to_fiber(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_set_fiber_name(void*, const char*) {}

HEDDLE_EXPORT void __tsan_flush_memory(void) {}

HEDDLE_EXPORT void AnnotateHappensBefore(const char*, int, void* address) {
  AnnotatedRelease(address);
}
HEDDLE_EXPORT void AnnotateHappensAfter(const char*, int, void* address) {
  AnnotatedAcquire(address);
}
HEDDLE_EXPORT void WTFAnnotateHappensBefore(const char*, int, void* address) {
  AnnotatedRelease(address);
}
HEDDLE_EXPORT void WTFAnnotateHappensAfter(const char*, int, void* address) {
  AnnotatedAcquire(address);
}

HEDDLE_EXPORT void AnnotateRWLockCreate(const char*, int, void*) {}
HEDDLE_EXPORT void AnnotateRWLockCreateStatic(const char*, int, void*) {}
HEDDLE_EXPORT void AnnotateRWLockDestroy(const char*, int, void*) {}
HEDDLE_EXPORT void AnnotateRWLockAcquired(const char*, int, void* lock, long writing) {
  AnnotatedLocked(lock, writing != 0 ? 0 : kAnnotatedReadLock);
}
HEDDLE_EXPORT void AnnotateRWLockReleased(const char*, int, void* lock, long writing) {
  AnnotatedUnlocking(lock, writing != 0 ? 0 : kAnnotatedReadLock);
}

HEDDLE_EXPORT void AnnotateIgnoreReadsBegin(const char*, int) { IgnoreBegin(); }
HEDDLE_EXPORT void AnnotateIgnoreReadsEnd(const char*, int) { IgnoreEnd(); }
HEDDLE_EXPORT void AnnotateIgnoreWritesBegin(const char*, int) { IgnoreBegin(); }
HEDDLE_EXPORT void AnnotateIgnoreWritesEnd(const char*, int) { IgnoreEnd(); }

HEDDLE_EXPORT void AnnotateBenignRace(const char*, int, const volatile void* address, const char*) {
  AnnotatedBenignRace(address, sizeof(void*));
}
HEDDLE_EXPORT void AnnotateBenignRaceSized(const char*, int, const volatile void* address,
                                           unsigned long size, const char*) {
  AnnotatedBenignRace(address, size);
}
HEDDLE_EXPORT void WTFAnnotateBenignRaceSized(const char*, int, const volatile void* address,
                                              unsigned long size, const char*) {
  AnnotatedBenignRace(address, size);
}
HEDDLE_EXPORT void AnnotateNewMemory(const char*, int, const volatile void* address,
                                     unsigned long size) {
  AnnotatedNewMemory(address, size);
}

// Seen directly, or hints to detectors of other kinds: nothing to do.
HEDDLE_EXPORT void AnnotateIgnoreSyncBegin(const char*, int) {}
HEDDLE_EXPORT void AnnotateIgnoreSyncEnd(const char*, int) {}
HEDDLE_EXPORT void AnnotateCondVarSignal(const char*, int, void*) {}
HEDDLE_EXPORT void AnnotateCondVarSignalAll(const char*, int, void*) {}
HEDDLE_EXPORT void AnnotateCondVarWait(const char*, int, void*, void*) {}
HEDDLE_EXPORT void AnnotateMutexIsNotPHB(const char*, int, void*) {}
HEDDLE_EXPORT void AnnotateMutexIsUsedAsCondVar(const char*, int, void*) {}
HEDDLE_EXPORT void AnnotatePCQCreate(const char*, int, void*) {}
HEDDLE_EXPORT void AnnotatePCQDestroy(const char*, int, void*) {}
HEDDLE_EXPORT void AnnotatePCQGet(const char*, int, void*) {}
HEDDLE_EXPORT void AnnotatePCQPut(const char*, int, void*) {}
HEDDLE_EXPORT void AnnotatePublishMemoryRange(const char*, int, void*, unsigned long) {}
HEDDLE_EXPORT void AnnotateUnpublishMemoryRange(const char*, int, void*, unsigned long) {}
HEDDLE_EXPORT void AnnotateExpectRace(const char*, int, void*, const char*) {}
HEDDLE_EXPORT void AnnotateFlushExpectedRaces(const char*, int) {}
HEDDLE_EXPORT void AnnotateEnableRaceDetection(const char*, int, int) {}
HEDDLE_EXPORT void AnnotateFlushState(const char*, int) {}
HEDDLE_EXPORT void AnnotateMemoryIsInitialized(const char*, int, const volatile void*,
                                               unsigned long) {}
HEDDLE_EXPORT void AnnotateMemoryIsUninitialized(const char*, int, const volatile void*,
                                                 unsigned long) {}
HEDDLE_EXPORT void AnnotateNoOp(const char*, int, const volatile void*) {}
HEDDLE_EXPORT void AnnotateThreadName(const char*, int, const char*) {}
HEDDLE_EXPORT void AnnotateTraceMemory(const char*, int, const volatile void*) {}

// No: heddle is not Valgrind, and virtual time makes waiting free.
HEDDLE_EXPORT __attribute__((weak)) int RunningOnValgrind(void) { return 0; }
HEDDLE_EXPORT __attribute__((weak)) double ValgrindSlowdown(void) { return 1.0; }

}  // extern "C"
