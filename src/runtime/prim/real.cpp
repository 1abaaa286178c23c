#include "runtime/prim/real.h"

#include <dlfcn.h>

namespace heddle::runtime {

void* FindReal(const char* name, const char* version) {
  void* address = version != nullptr ? dlvsym(RTLD_NEXT, name, version) : nullptr;
  if (address == nullptr) address = dlsym(RTLD_NEXT, name);
  return address;
}

}  // namespace heddle::runtime
