// Telling the system's libraries from the program's code.
#include "runtime/world/own_code.h"

#include <dlfcn.h>
#include <string.h>

#include "runtime/runtime.h"

namespace heddle::runtime {

bool IsSystemCode(uintptr_t pc) {
  const OutsideExecution outside;
  Dl_info info;
  return dladdr(reinterpret_cast<void*>(pc), &info) != 0 &&
         (strncmp(info.dli_fname, "/usr/lib", 8) == 0 || strncmp(info.dli_fname, "/lib", 4) == 0);
}

}  // namespace heddle::runtime
