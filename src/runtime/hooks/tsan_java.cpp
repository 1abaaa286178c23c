// The ThreadSanitizer interface for Java virtual machines. A virtual machine cannot be brought
// under control (it makes code at run time that no compiler instrumented), so in an execution these
// names say so; outside they do nothing.

#include "runtime/export.h"
#include "runtime/runtime.h"

using namespace heddle::runtime;  // NOLINT: defines the interface's names in terms of ours

namespace {

void Refuse() {
  if (InExecution()) Unsupported("a Java virtual machine (__tsan_java_*)");
}

}  // namespace

extern "C" {

HEDDLE_EXPORT void __tsan_java_init(unsigned long, unsigned long) { Refuse(); }
HEDDLE_EXPORT int __tsan_java_fini(void) { return Refuse(), 0; }
HEDDLE_EXPORT void __tsan_java_alloc(unsigned long, unsigned long) { Refuse(); }
HEDDLE_EXPORT void __tsan_java_free(unsigned long, unsigned long) { Refuse(); }
HEDDLE_EXPORT void __tsan_java_move(unsigned long, unsigned long, unsigned long) { Refuse(); }
HEDDLE_EXPORT unsigned long __tsan_java_find(unsigned long*, unsigned long) { return Refuse(), 0; }
HEDDLE_EXPORT void __tsan_java_finalize(void) { Refuse(); }
HEDDLE_EXPORT void __tsan_java_mutex_lock(unsigned long) { Refuse(); }
HEDDLE_EXPORT void __tsan_java_mutex_unlock(unsigned long) { Refuse(); }
HEDDLE_EXPORT void __tsan_java_mutex_read_lock(unsigned long) { Refuse(); }
HEDDLE_EXPORT void __tsan_java_mutex_read_unlock(unsigned long) { Refuse(); }
HEDDLE_EXPORT void __tsan_java_mutex_lock_rec(unsigned long, int) { Refuse(); }
HEDDLE_EXPORT int __tsan_java_mutex_unlock_rec(unsigned long) { return Refuse(), 0; }
HEDDLE_EXPORT void __tsan_java_acquire(unsigned long) { Refuse(); }
HEDDLE_EXPORT void __tsan_java_release(unsigned long) { Refuse(); }
HEDDLE_EXPORT void __tsan_java_release_store(unsigned long) { Refuse(); }

}  // extern "C"
