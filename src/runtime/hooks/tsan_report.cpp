// The ThreadSanitizer interface, the part about its own reports and its options. heddle reports
// outside the program, so a program that asks for the current report learns that there is none; and
// the functions that a program may define for the sanitizer to call (weak here) are never called.

#include <cstddef>

#include "runtime/export.h"

#define HEDDLE_EXPORT_WEAK __attribute__((visibility("default"), weak))

extern "C" {

HEDDLE_EXPORT void* __tsan_get_current_report(void) { return nullptr; }
HEDDLE_EXPORT int __tsan_get_report_data(void*, const char**, int*, int*, int*, int*, int*, int*,
                                         int*, void**, unsigned long) {
  return 0;
}
HEDDLE_EXPORT int __tsan_get_report_tag(void*, unsigned long*) { return 0; }
HEDDLE_EXPORT int __tsan_get_report_stack(void*, unsigned long, void**, unsigned long) { return 0; }
HEDDLE_EXPORT int __tsan_get_report_mop(void*, unsigned long, int*, void**, int*, int*, int*,
                                        void**, unsigned long) {
  return 0;
}
HEDDLE_EXPORT int __tsan_get_report_loc(void*, unsigned long, const char**, void**, unsigned long*,
                                        unsigned long*, int*, int*, int*, void**, unsigned long) {
  return 0;
}
HEDDLE_EXPORT int __tsan_get_report_loc_object_type(void*, unsigned long, const char**) {
  return 0;
}
HEDDLE_EXPORT int __tsan_get_report_mutex(void*, unsigned long, unsigned long*, void**, int*,
                                          void**, unsigned long) {
  return 0;
}
HEDDLE_EXPORT int __tsan_get_report_thread(void*, unsigned long, int*, unsigned long*, int*,
                                           const char**, int*, void**, unsigned long) {
  return 0;
}
HEDDLE_EXPORT int __tsan_get_report_unique_tid(void*, unsigned long, int*) { return 0; }
HEDDLE_EXPORT int __tsan_get_alloc_stack(void*, void**, size_t, int*, void*) { return 0; }
HEDDLE_EXPORT const char* __tsan_locate_address(void*, char*, size_t, void**, size_t*) {
  return "";
}
HEDDLE_EXPORT unsigned long __tsan_testonly_shadow_stack_current_size(void) { return 0; }
HEDDLE_EXPORT void __tsan_test_only_on_fork(void) {}

HEDDLE_EXPORT_WEAK void __tsan_on_report(void*) {}
HEDDLE_EXPORT_WEAK void __tsan_on_initialize(void) {}
HEDDLE_EXPORT_WEAK int __tsan_on_finalize(int failed) { return failed; }
HEDDLE_EXPORT_WEAK const char* __tsan_default_options(void) { return ""; }
HEDDLE_EXPORT_WEAK const char* __tsan_default_suppressions(void) { return ""; }
HEDDLE_EXPORT_WEAK int __tsan_symbolize_external(unsigned long, char*, int, char*, int, int*,
                                                 int*) {
  return 0;
}
HEDDLE_EXPORT_WEAK void __tsan_symbolize_external_ex(
    unsigned long, void (*)(void*, const char*, const char*, int, int), void*) {}

}  // extern "C"
