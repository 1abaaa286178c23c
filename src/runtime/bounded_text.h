// Composing a line of bounded length where nothing may be allocated.
#pragma once

#include <stdarg.h>
#include <stdio.h>

namespace heddle::runtime {

// Appends to the text in [at, end); silently stops when it is full.
struct BoundedText {
  char* at;
  char* end;
  __attribute__((format(printf, 2, 3))) void Add(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int written = vsnprintf(at, static_cast<size_t>(end - at), format, arguments);
    va_end(arguments);
    if (written > 0) at += written < end - at ? written : end - at - 1;
  }
};

}  // namespace heddle::runtime
