#include "base/check.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heddle::base {
namespace {

// Raw system calls: write() and _exit() are names we interpose.
long RawCall3(long number, long a, long b, long c) {
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c)
               : "rcx", "r11", "memory");
  return result;
}

void Say(const char* text) {
  unsigned long length = 0;
  while (text[length] != '\0') ++length;
  RawCall3(SYS_write, 2, reinterpret_cast<long>(text), static_cast<long>(length));
}

}  // namespace

void CheckFailed(const char* file, int line, const char* what) {
  char digits[12];
  char* cursor = digits + sizeof digits;
  *--cursor = '\0';
  do {
    *--cursor = static_cast<char>('0' + line % 10);
    line /= 10;
  } while (line != 0);
  Say("heddle: internal error: ");
  Say(file);
  Say(":");
  Say(cursor);
  Say(": ");
  Say(what);
  Say("\n");
  for (;;) RawCall3(SYS_exit_group, 70, 0, 0);
}

}  // namespace heddle::base
