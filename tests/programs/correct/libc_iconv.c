// The C library maps the list of its conversions at the first one, and keeps it; heddle unmaps it after each execution, if it was
// not there before. A conversion that is in a library makes every execution run in a process of its own: incomplete/libc_iconv_library.c.
// One lock in each of two threads, C(2,1) = 2.
// heddle: check --reduction none
// expect: verdict=clean complete=true executions=2
#include <assert.h>
#include <iconv.h>

#include "convert.h"
#include "two_locks.h"

int main() {
  assert(CountMapped("gconv-modules") <= 1);
  iconv_t conversion = Convert("UCS-4");
  assert(CountMapped("gconv-modules") == 1);
  iconv_close(conversion);
  LockInTwoThreads();
}
