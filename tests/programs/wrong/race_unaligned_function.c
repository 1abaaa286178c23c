// The sanitizer's functions for unaligned accesses, as libraries call them, are accesses like any others.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=data-race location=@store location=@load
// Graphs: the load before or after the store, 2.
// traces: 2 enumerated --keep-going
#include <sanitizer/common_interface_defs.h>

#include "run_threads.h"

static char buffer[16];

static void *Store(void *arg) {
  __sanitizer_unaligned_store32(buffer + 3, 7);  // @store
  return arg;
}

static void *Load(void *arg) {
  return __sanitizer_unaligned_load16(buffer + 6) == 9 ? 0 : arg;  // @load
}

int main() { RunThreads(2, (Body[]){Store, Load}); }
