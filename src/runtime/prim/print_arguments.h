// The arguments of printf and its kin that point to memory, found by the format as the C library
// reads it: standard conversions with flags, width, precision, length and positions, and those of
// glibc (%m, %C, %S, the flags ' and I).
//
// What follows an unknown conversion, or an argument beyond the first kMost, is left out: nobody
// knows where the arguments behind it are.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdint>

namespace heddle::runtime {

struct PrintArgument {
  enum class Kind : uint8_t { kString, kWideString, kCount };
  Kind kind;
  uint8_t size;   // of what %n writes
  size_t most;    // bytes that a string's precision lets out; ~0: all
  void** slot;    // where the call has the pointer
  void* pointer;  // never null
};

struct PrintArguments {
  static constexpr unsigned kMost = 32;
  unsigned count;
  PrintArgument all[kMost];
};

// ENSURES: `list` is as it was.
void FindPrintArguments(const char* format, va_list list, PrintArguments& found);

}  // namespace heddle::runtime
