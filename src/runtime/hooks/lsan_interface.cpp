// What LeakSanitizer offers to programs (sanitizer/lsan_interface.h). One line a symbol;
// world/leaks.h has what they do.

#include "runtime/export.h"
#include "runtime/world/leaks.h"

using namespace heddle::runtime;  // NOLINT: defines the interface's names in terms of ours

extern "C" {

HEDDLE_EXPORT void __lsan_ignore_object(const void* object) { IgnoreLeakOf(object); }
HEDDLE_EXPORT void __lsan_disable(void) { DisableLeaks(); }
HEDDLE_EXPORT void __lsan_enable(void) { EnableLeaks(); }

// What is lost now is so at the end, too, where it is told.
HEDDLE_EXPORT void __lsan_do_leak_check(void) {}
HEDDLE_EXPORT int __lsan_do_recoverable_leak_check(void) { return 0; }

}  // extern "C"
