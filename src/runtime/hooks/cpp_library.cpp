#include "runtime/hooks/cpp_library.h"

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

}  // namespace

void* FindInCppLibrary(const char* name) {
  void* address = FindReal(name);
  if (address != nullptr) return address;
  if (InExecution()) EndExecution(trace::EndKind::kUnsupported, 0, 0, 0, "%s", kAdvice);
  if (Controlled()) FailSetUp("%s", kAdvice);
  fprintf(stderr, "libheddle: %s\n", kAdvice);
  abort();
}

}  // namespace heddle::runtime
