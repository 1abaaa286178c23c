// The arguments of scanf and its kin, to which it writes what it has read, found by the format as
// the C library reads it: standard conversions with widths and lengths, and those of glibc (%m, the
// flag ', %C, %S).
//
// What follows an unknown conversion, a position ("%2$d"), or an argument beyond the first kMost,
// is left out.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdint>

namespace heddle::runtime {

struct ScanArgument {
  enum class Kind : uint8_t {
    kValue,       // `size` bytes
    kCharacters,  // `width` characters of `size` bytes
    kString,      // characters of `size` bytes, at most `width`, and an end
    kAllocated,   // a pointer to what the call allocates
    kCount,       // %n, which does not count as assigned
  };
  Kind kind;
  uint8_t size;
  size_t width;   // ~0: not stated
  void** slot;    // where the call has the pointer
  void* pointer;  // never null
};

struct ScanArguments {
  static constexpr unsigned kMost = 32;
  unsigned count;
  ScanArgument all[kMost];
};

// ENSURES: `list` is as it was.
void FindScanArguments(const char* format, va_list list, ScanArguments& found);

}  // namespace heddle::runtime
