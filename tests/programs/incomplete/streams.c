// A stream is locked by a function that the program finds while it runs: who prints does not wait for it.
// heddle: check
// expect: incomplete=streams
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

#include "run_threads.h"

static void *Lock(void *arg) {
  void (*lock)(FILE *) = (void (*)(FILE *))dlsym(RTLD_DEFAULT, "flockfile");
  void (*unlock)(FILE *) = (void (*)(FILE *))dlsym(RTLD_DEFAULT, "funlockfile");
  lock(stdout);
  unlock(stdout);
  return arg;
}

static void *Print(void *arg) {
  puts("x");
  return arg;
}

int main() { RunThreads(2, (Body[]){Lock, Print}); }
