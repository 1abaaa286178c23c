// Files that no open() of the program makes: the next execution would find them. That each removes them again is not looked at.
// heddle: check
// expect: incomplete=writes-files
#include <assert.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run_threads.h"

static void *End(void *arg) { return arg; }

int main() {
  char name[] = "/tmp/heddle-XXXXXX";
  assert(mkdtemp(name));
  assert(rmdir(name) == 0);
  RunSame(2, End);
}
