#include "base/check.h"

#include <sys/syscall.h>

#include "runtime/prim/syscall.h"

namespace heddle::base {
namespace {

using runtime::RawSyscall;  // write() and _exit() are names that the runtime interposes

void Say(const char* text) {
  unsigned long length = 0;
  while (text[length] != '\0') ++length;
  RawSyscall(SYS_write, 2, reinterpret_cast<long>(text), static_cast<long>(length));
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
  for (;;) RawSyscall(SYS_exit_group, 70);
}

}  // namespace heddle::base
