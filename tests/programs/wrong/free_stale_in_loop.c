// Each round of a loop frees what the round before had kept, for the second time. Blocks of a loop's rounds get the same
// addresses again only once a few rounds had addresses of their own, so this is no free of the block of this round.
// heddle: check
// expect: verdict=bug kind=double-free
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static atomic_int looks;

static void *Loop(void *arg) {
  void *kept = 0;
  for (int i = 0; i < 6; i++) {
    atomic_load(&looks);
    void *block = malloc(40);
    if (i == 1) free(kept);
    free(block);
    kept = block;
  }
  return arg;
}

int main() { RunSame(2, Loop); }
