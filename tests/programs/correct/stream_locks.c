// flockfile: others wait for it, and printing is a step. The lock is recursive, orders what threads do, and makes calls without
// a lock of their own right.
// heddle: check -- try
// expect: verdict=clean complete=true outcomes=0,1
// Traces: the other thread tries before the lock, in vain between lock and unlock, or after: 3.
// traces: 3 enumerated -- try
// heddle: check -- data
// expect: verdict=clean complete=true
// traces: 2 enumerated -- data
// heddle: check -- print
// expect: verdict=clean complete=true
// traces: 2 enumerated -- print
#define _GNU_SOURCE
#include <heddle.h>
#include <stdio.h>
#include <string.h>

#include "run_threads.h"

static const char *what;
static int failed, data;

static int Is(const char *name) { return strcmp(what, name) == 0; }

static void *First(void *arg) {
  flockfile(stdout);
  if (Is("data")) {
    flockfile(stdout);
    data++;
    putc_unlocked('a', stdout);
    puts("b");
    funlockfile(stdout);
  }
  funlockfile(stdout);
  return arg;
}

static void *Second(void *arg) {
  if (Is("try")) {
    failed = ftrylockfile(stdout) != 0;
    if (!failed) funlockfile(stdout);
  }
  if (Is("data")) First(arg);
  if (Is("print")) printf("x\n");
  return arg;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  what = argv[1];
  RunThreads(2, (Body[]){First, Second});
  if (Is("try")) heddle_outcome("%d", failed);
}
