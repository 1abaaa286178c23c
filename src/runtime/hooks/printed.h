// What a call of printf's kin reads: its format, and the strings among its arguments.
//
// Where the accesses are scheduling points, a string may be written between its own point and the
// call. So it is copied at its point, and the call gets the copy.
#pragma once

#include <cstdarg>
#include <cstdint>

#include "runtime/prim/print_arguments.h"

namespace heddle::runtime {

inline constexpr int kUnchecked = -1;  // in place of the flag of the fortified forms

// `format` and the arguments are what is to be printed until Return.
template <typename Char>
struct Printed {
  const Char* format;
  PrintArguments arguments;
};

// In the order of the conversions; what %n writes comes when all was read.
void See(Printed<char>& printed, const char* format, va_list list, uintptr_t pc);
void See(Printed<wchar_t>& printed, const wchar_t* format, va_list list, uintptr_t pc);
// The caller has its arguments back.
void Return(const PrintArguments& arguments);

}  // namespace heddle::runtime

// Calls `call` with the list of arguments behind `format`.
#define HEDDLE_WITH_LIST(call) \
  va_list list;                \
  va_start(list, format);      \
  const int result = call;     \
  va_end(list);                \
  return result
