// What all sanitizers offer to programs (sanitizer/common_interface_defs.h): a program that calls
// these when it sees the sanitizer links and runs. Unaligned accesses are checked like any others;
// what asks for the sanitizer's own reports, stacks and output finds none.

#include <cstddef>
#include <cstdint>

#include "runtime/export.h"
#include "runtime/prim/copy.h"
#include "runtime/primitives/plain.h"
#include "runtime/runtime.h"

using namespace heddle::runtime;  // NOLINT: this file defines the sanitizer's names in terms of
                                  // ours

namespace {

template <typename T>
T Load(const void* address, uintptr_t pc) {
  PlainRange(address, sizeof(T), false, pc);
  return LoadAt<T>(static_cast<const char*>(address));
}

template <typename T>
void Store(void* address, T value, uintptr_t pc) {
  PlainRange(address, sizeof(T), true, pc);
  StoreAt(static_cast<char*>(address), value);
}

void Empty(char* text, size_t size) {
  if (size != 0) text[0] = '\0';
}

}  // namespace

extern "C" {

HEDDLE_EXPORT uint16_t __sanitizer_unaligned_load16(const void* address) {
  return Load<uint16_t>(address, HEDDLE_CALLER);
}
HEDDLE_EXPORT uint32_t __sanitizer_unaligned_load32(const void* address) {
  return Load<uint32_t>(address, HEDDLE_CALLER);
}
HEDDLE_EXPORT uint64_t __sanitizer_unaligned_load64(const void* address) {
  return Load<uint64_t>(address, HEDDLE_CALLER);
}
HEDDLE_EXPORT void __sanitizer_unaligned_store16(void* address, uint16_t value) {
  Store(address, value, HEDDLE_CALLER);
}
HEDDLE_EXPORT void __sanitizer_unaligned_store32(void* address, uint32_t value) {
  Store(address, value, HEDDLE_CALLER);
}
HEDDLE_EXPORT void __sanitizer_unaligned_store64(void* address, uint64_t value) {
  Store(address, value, HEDDLE_CALLER);
}

HEDDLE_EXPORT void __sanitizer_set_report_path(const char*) {}
HEDDLE_EXPORT void __sanitizer_set_report_fd(void*) {}
HEDDLE_EXPORT const char* __sanitizer_get_report_path(void) { return ""; }
HEDDLE_EXPORT void __sanitizer_sandbox_on_notify(void*) {}
HEDDLE_EXPORT void __sanitizer_report_error_summary(const char*) {}
HEDDLE_EXPORT void __sanitizer_print_stack_trace(void) {}
HEDDLE_EXPORT void __sanitizer_set_death_callback(void (*)(void)) {}
HEDDLE_EXPORT int __sanitizer_acquire_crash_state(void) { return 1; }
HEDDLE_EXPORT void __sanitizer_symbolize_pc(void*, const char*, char* text, size_t size) {
  Empty(text, size);
}
HEDDLE_EXPORT void __sanitizer_symbolize_global(void*, const char*, char* text, size_t size) {
  Empty(text, size);
}
HEDDLE_EXPORT int __sanitizer_get_module_and_offset_for_pc(void*, char* module, size_t size,
                                                           void** offset) {
  Empty(module, size);
  *offset = nullptr;
  return 0;
}

}  // extern "C"
