// What a thread changes for the whole process, and is no step: beside other threads, which could tell.
// heddle: check -- directory
// expect: incomplete=unseen-syscall
// heddle: check -- mask
// expect: incomplete=unseen-syscall
// heddle: check -- protection
// expect: incomplete=unseen-syscall
// heddle: check -- replaced
// expect: incomplete=unseen-syscall
// Before there are several threads nobody can.
// heddle: check -- alone
// expect: verdict=clean complete=true
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run_threads.h"

enum { kPage = 4096 };

static const char *mode;
static char *memory;

static void Change(const char *what) {
  if (strcmp(what, "directory") == 0) assert(chdir("/") == 0);
  if (strcmp(what, "mask") == 0) umask(077);
  if (strcmp(what, "protection") == 0) assert(mprotect(memory, kPage, PROT_READ) == 0);
  if (strcmp(what, "replaced") == 0)
    assert(mmap(memory, kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == memory);
}

static void *ChangeIt(void *arg) {
  if (arg == 0) Change(mode);
  return arg;
}

int main(int count, char **arguments) {
  mode = count > 1 ? arguments[1] : "directory";
  memory = mmap(0, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(memory != MAP_FAILED);
  if (strcmp(mode, "alone") == 0)
    for (const char *const *all = (const char *const[]){"directory", "mask", "protection", "replaced", 0}; *all != 0; ++all) Change(*all);
  RunSame(2, ChangeIt);
}
