#include "runtime/loops/code/no_return.h"

#include "runtime/prim/linkage.h"

namespace heddle::runtime {

bool DoesNotReturn(std::string_view callee) {
  for (const std::string_view ends :
       {"abort", "exit", "_exit", "_Exit", "quick_exit", "pthread_exit", "thrd_exit",
        "__assert_fail", "__stack_chk_fail", "_ZSt9terminatev", "__cxa_throw", "__cxa_rethrow",
        "__cxa_throw_bad_array_new_length", "_Unwind_Resume", "__cxa_pure_virtual"})
    if (callee == ends) return true;
  return callee.starts_with("_ZSt") && callee.find("__throw_") != callee.npos;
}

bool CallDoesNotReturn(uintptr_t target) { return DoesNotReturn(NameOfCallee(target)); }

}  // namespace heddle::runtime
