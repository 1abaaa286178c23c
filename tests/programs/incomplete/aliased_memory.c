// One file mapped to two places: a store by one is seen by the other. heddle takes an address for the name of what lies there, so it
// would think that these do not meet. The same with one mapping from before main, and where plain accesses race.
// heddle: check -- atomics
// expect: incomplete=aliased-memory
// heddle: check --order depth-first --reduction none -- atomics
// expect: incomplete=aliased-memory
// heddle: check -- plain
// expect: incomplete=aliased-memory
// heddle: check -- constructor
// expect: incomplete=shared-memory,aliased-memory
// Two parts of a file, or one that nobody writes by its mappings, or one that is mapped anew, are no such thing.
// heddle: check -- parts
// expect: verdict=clean complete=true outcomes=0
// heddle: check -- read
// expect: verdict=clean complete=true outcomes=0
// heddle: check -- anew
// expect: verdict=clean complete=true outcomes=0,1
#define _GNU_SOURCE
#include <heddle.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "run_threads.h"

enum { kPage = 4096 };

static int file;
static atomic_int *written, *read_by;
static int seen, plain;

static void *Map(long offset, int protection) {
  void *at = mmap(0, kPage, protection, MAP_SHARED, file, offset);
  assert(at != MAP_FAILED);
  return at;
}

static void MakeFile(void) {
  file = memfd_create("aliased", 0);
  assert(file >= 0 && ftruncate(file, 2 * kPage) == 0);
}

__attribute__((constructor)) static void MapFirst(int count, char **arguments) {
  if (count < 2 || strcmp(arguments[1], "constructor") != 0) return;
  MakeFile();
  written = Map(0, PROT_READ | PROT_WRITE);
}

static void *Write(void *arg) {
  if (plain)
    *(volatile int *)written = 1;
  else
    atomic_store(written, 1);
  return arg;
}
static void *Read(void *arg) {
  seen = plain ? *(volatile int *)read_by : atomic_load(read_by);
  return arg;
}

int main(int count, char **arguments) {
  const char *mode = count > 1 ? arguments[1] : "atomics";
  const int both = PROT_READ | PROT_WRITE;
  plain = strcmp(mode, "plain") == 0;
  static atomic_int own;
  if (written == 0) {
    MakeFile();
    written = Map(0, strcmp(mode, "read") == 0 ? PROT_READ : both);
  }
  if (strcmp(mode, "anew") == 0) {
    munmap(written, kPage);
    written = read_by = Map(0, both);
  } else {
    read_by = Map(strcmp(mode, "parts") == 0 ? kPage : 0, strcmp(mode, "read") == 0 ? PROT_READ : both);
  }
  if (strcmp(mode, "read") == 0) written = &own;
  const Body bodies[] = {Write, Read};
  RunThreads(2, bodies);
  heddle_outcome("%d", seen);
}
