// The process ends where heddle does not see it, and the next one has a library more.
// flags: -ldl
// heddle: check
// expect: incomplete=unseen-assembly,unseen-code,writes-files,moved
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vanish.h"

static const char kMark[] = "moved.mark";
static int is_second;

__attribute__((constructor)) static void Open(void) {
  is_second = rmdir(kMark) == 0;
  if (is_second) dlopen("libz.so.1", RTLD_NOW);
}

int main(void) {
  if (is_second) return 0;
  mkdir(kMark, 0700);
  Vanish();
}
