// A conversion of the C library that is in a library of its own, which is not known to be one of the C library's: every execution
// runs in a process of its own, in which the library is opened anew.
// heddle: check --reduction none
// expect: incomplete=opened-not-rebuilt executions=2
#include <assert.h>
#include <iconv.h>

#include "convert.h"
#include "two_locks.h"

int main() {
  assert(CountMapped("/gconv/ISO8859-15.so") == 0);
  iconv_t conversion = Convert("ISO-8859-15");
  assert(CountMapped("/gconv/ISO8859-15.so"));
  iconv_close(conversion);
  LockInTwoThreads();
}
