// malloc and its family. One line a symbol; world/allocate.h has what they do. In an ordinary run
// glibc's own heap serves the program, through the names that need no look-up, because malloc is
// called before a look-up can work. mallopt, mallinfo and malloc_trim are left to glibc: they touch
// only its heap, which is empty in a controlled process.

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/export.h"
#include "runtime/memory/pages.h"
#include "runtime/prim/real.h"
#include "runtime/runtime.h"
#include "runtime/world/allocate.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

extern "C" {

void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* payload, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void* payload);

HEDDLE_EXPORT void* malloc(size_t bytes) noexcept {
  return HeapIsOurs() ? Allocate(bytes, HEDDLE_ACCESS_CALLER) : __libc_malloc(bytes);
}

HEDDLE_EXPORT void* calloc(size_t count, size_t bytes) noexcept {
  return HeapIsOurs() ? AllocateArray(count, bytes, HEDDLE_ACCESS_CALLER)
                      : __libc_calloc(count, bytes);
}

HEDDLE_EXPORT void* realloc(void* payload, size_t bytes) noexcept {
  return HeapIsOurs() ? Resize(payload, bytes, HEDDLE_ACCESS_CALLER)
                      : __libc_realloc(payload, bytes);
}

HEDDLE_EXPORT void* reallocarray(void* payload, size_t count, size_t bytes) noexcept {
  if (HeapIsOurs()) return ResizeArray(payload, count, bytes, HEDDLE_ACCESS_CALLER);
  size_t total;
  if (!__builtin_mul_overflow(count, bytes, &total)) return __libc_realloc(payload, total);
  errno = ENOMEM;
  return nullptr;
}

HEDDLE_EXPORT void free(void* payload) noexcept {
  HeapIsOurs() ? Free(payload, HEDDLE_ACCESS_CALLER) : __libc_free(payload);
}

// Removed from glibc's headers, but old binaries call it.
HEDDLE_EXPORT void cfree(void* payload) noexcept {
  HeapIsOurs() ? Free(payload, HEDDLE_ACCESS_CALLER) : __libc_free(payload);
}

HEDDLE_EXPORT void* memalign(size_t alignment, size_t bytes) noexcept {
  return HeapIsOurs() ? Allocate(bytes, HEDDLE_ACCESS_CALLER, alignment)
                      : __libc_memalign(alignment, bytes);
}

HEDDLE_EXPORT void* aligned_alloc(size_t alignment, size_t bytes) noexcept {
  return HeapIsOurs() ? Allocate(bytes, HEDDLE_ACCESS_CALLER, alignment)
                      : __libc_memalign(alignment, bytes);
}

HEDDLE_EXPORT int posix_memalign(void** payload, size_t alignment, size_t bytes) noexcept {
  const bool is_power_of_two = alignment != 0 && (alignment & (alignment - 1)) == 0;
  if (!is_power_of_two || alignment % sizeof(void*) != 0) return EINVAL;
  if (MayFail(HEDDLE_ACCESS_CALLER)) HashCallArgument(payload);
  const int saved = errno;  // the answer tells, errno does not
  void* taken = HeapIsOurs() ? Allocate(bytes, HEDDLE_ACCESS_CALLER, alignment)
                             : __libc_memalign(alignment, bytes);
  errno = saved;
  if (taken == nullptr) return ENOMEM;
  *payload = taken;
  return 0;
}

HEDDLE_EXPORT void* valloc(size_t bytes) noexcept {
  return HeapIsOurs() ? Allocate(bytes, HEDDLE_ACCESS_CALLER, kPageBytes)
                      : __libc_memalign(kPageBytes, bytes);
}

HEDDLE_EXPORT void* pvalloc(size_t bytes) noexcept {
  if (bytes > SIZE_MAX - kPageBytes) {
    errno = ENOMEM;
    return nullptr;
  }
  bytes = RoundUp(bytes, kPageBytes);
  return HeapIsOurs() ? Allocate(bytes, HEDDLE_ACCESS_CALLER, kPageBytes)
                      : __libc_memalign(kPageBytes, bytes);
}

HEDDLE_EXPORT size_t malloc_usable_size(void* payload) noexcept {
  if (HeapIsOurs()) return UsableBytes(payload);
  return Real<&malloc_usable_size>("malloc_usable_size")(payload);
}

}  // extern "C"
