#include "runtime/world/finalizers.h"

#include <link.h>
#include <string.h>

#include <cstdint>

#include "runtime/rewind_mode.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

Finalizer linker_finalizer;
bool needed = true;

bool BeginsWith(const unsigned char* code, const unsigned char* bytes, size_t count) {
  return memcmp(code, bytes, count) == 0;
}

// crtbegin's __do_global_dtors_aux: [endbr64] cmpb $0, completed(%rip); jne. It runs what exit()
// has left of the module's exit handlers, and exit() leaves none.
bool IsCompilersOwn(const unsigned char* code) {
  static const unsigned char kEndbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
  static const unsigned char kCompare[] = {0x80, 0x3d};
  if (BeginsWith(code, kEndbr64, sizeof kEndbr64)) code += sizeof kEndbr64;
  return BeginsWith(code, kCompare, sizeof kCompare) && code[6] == 0 && code[7] == 0x75;
}

// crti's _fini: [endbr64] sub $8, %rsp; add $8, %rsp; ret.
bool IsEmpty(const unsigned char* code) {
  static const unsigned char kEndbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
  static const unsigned char kNothing[] = {0x48, 0x83, 0xec, 0x08, 0x48, 0x83, 0xc4, 0x08, 0xc3};
  if (BeginsWith(code, kEndbr64, sizeof kEndbr64)) code += sizeof kEndbr64;
  return BeginsWith(code, kNothing, sizeof kNothing);
}

// Has the module of `info` a destructor function that does something?
bool HasDestructors(const dl_phdr_info& info) {
  const ElfW(Dyn)* entry = nullptr;
  for (int i = 0; i < info.dlpi_phnum; ++i)
    if (info.dlpi_phdr[i].p_type == PT_DYNAMIC)
      entry = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
  if (entry == nullptr) return false;
  uintptr_t functions = 0, bytes = 0, fini = 0;
  for (; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_FINI_ARRAY) functions = info.dlpi_addr + entry->d_un.d_ptr;
    if (entry->d_tag == DT_FINI_ARRAYSZ) bytes = entry->d_un.d_val;
    if (entry->d_tag == DT_FINI) fini = info.dlpi_addr + entry->d_un.d_ptr;
  }
  if (fini != 0 && !IsEmpty(reinterpret_cast<const unsigned char*>(fini))) return true;
  for (uintptr_t at = functions; at < functions + bytes; at += sizeof(uintptr_t))
    if (!IsCompilersOwn(*reinterpret_cast<const unsigned char* const*>(at))) return true;
  return false;
}

void FinalizeIfNeeded() {
  if (InExecution() && !needed && !RewindsByFork())
    return;  // with fork rewinding, more may have been loaded
  linker_finalizer();
}

}  // namespace

void InitFinalizers() {
  needed = dl_iterate_phdr(
               [](dl_phdr_info* info, size_t, void*) { return HasDestructors(*info) ? 1 : 0; },
               nullptr) != 0;
}

Finalizer ReplaceLinkerFinalizer(Finalizer real) {
  linker_finalizer = real;
  return real != nullptr ? FinalizeIfNeeded : nullptr;
}

}  // namespace heddle::runtime
