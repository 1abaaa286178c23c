#include "runtime/loops/code/outside_calls.h"

#include "runtime/loops/code/no_return.h"
#include "runtime/prim/linkage.h"

namespace heddle::runtime {
namespace {

// Of the C++ library: operators new and delete in all their forms, and what throws and catches. All
// that these change is the heap, by malloc and free, and what the exceptions of a thread are, which
// is as before when they are caught.
bool ChangesHeapAlone(std::string_view callee) {
  for (const std::string_view prefix : {"_Znw", "_Zna", "_Zdl", "_Zda"})
    if (callee.starts_with(prefix)) return true;
  for (const std::string_view exceptions :
       {"__cxa_allocate_exception", "__cxa_free_exception", "__cxa_throw", "__cxa_begin_catch",
        "__cxa_end_catch", "__cxa_rethrow", "__cxa_throw_bad_array_new_length", "_Unwind_Resume"})
    if (callee == exceptions) return true;
  return callee.starts_with("_ZSt") && callee.find("__throw_") != callee.npos;
}

// Of the C++ library: what waits, wakes and tells the time by functions that heddle has.
bool ActsByOthers(std::string_view callee) {
  for (const std::string_view prefix :
       {"_ZNSt18condition_variable", "_ZNSt28__atomic_futex_unsigned_base", "_ZNSt6thread4join",
        "_ZNSt6thread6detach", "_ZNSt6chrono3_V212"})
    if (callee.starts_with(prefix)) return true;
  return false;
}

// What heddle defines to see their memory, but does not see whole: they call the program by a
// pointer, or keep something that nobody else looks at.
bool DoesMore(std::string_view callee) {
  for (const std::string_view more : {"qsort", "qsort_r", "getaddrinfo", "getnameinfo"})
    if (callee == more) return true;
  return false;
}

}  // namespace

bool OnlyReads(std::string_view callee) {
  for (const std::string_view reads :
       {"strlen", "strcmp", "strncmp", "memcmp", "strchr", "memchr", "__errno_location",
        "pthread_self", "abs", "labs", "_ZSt18uncaught_exceptionv", "_ZSt19uncaught_exceptionsv"})
    if (callee == reads) return true;
  return false;
}

bool IsOutside(std::string_view callee) {
  return !OnlyReads(callee) && !ChangesHeapAlone(callee) && !ActsByOthers(callee) &&
         !DoesNotReturn(callee) && (!DefinesName(callee) || DoesMore(callee));
}

}  // namespace heddle::runtime
