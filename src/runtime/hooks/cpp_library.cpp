#include "runtime/hooks/cpp_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/control.h"
#include "runtime/prim/real.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

constexpr char kAdvice[] =
    "the C++ library is linked into the program, where heddle cannot call it; link the shared one "
    "(leave out -Wl,-Bstatic or the path of libstdc++.a)";

// In a library that the program opened with what it needs for itself (RTLD_LOCAL).
void* FindInOpened(const char* name) {
  for (const char* library : {"libstdc++.so.6", "libc++abi.so.1", "libc++.so.1"}) {
    void* handle = Real<&dlopen>("dlopen")(library, RTLD_LAZY | RTLD_NOLOAD);
    if (handle != nullptr) return dlsym(handle, name);
  }
  return nullptr;
}

}  // namespace

void* FindInCppLibrary(const char* name) {
  void* address = FindReal(name);
  if (address == nullptr) address = FindInOpened(name);
  if (address != nullptr) return address;
  if (InExecution()) EndExecution(trace::EndKind::kUnsupported, 0, 0, 0, "%s", kAdvice);
  if (Controlled()) FailSetUp("%s", kAdvice);
  fprintf(stderr, "libheddle: %s\n", kAdvice);
  abort();
}

}  // namespace heddle::runtime
