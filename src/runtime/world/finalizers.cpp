#include "runtime/world/finalizers.h"

#include <link.h>

#include <cstdint>

#include "runtime/prim/lifetime.h"
#include "runtime/prim/start_code.h"
#include "runtime/rewind_mode.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

[[HEDDLE_LASTS("found once")]] Finalizer linker_finalizer;
[[HEDDLE_LASTS("found once")]] bool needed = true;

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
  if (fini != 0 && !IsEmptyFini(reinterpret_cast<const unsigned char*>(fini))) return true;
  for (uintptr_t at = functions; at < functions + bytes; at += sizeof(uintptr_t))
    if (!IsCompilersDestructor(*reinterpret_cast<const unsigned char* const*>(at))) return true;
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
