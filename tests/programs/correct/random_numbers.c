// rand and its kin may be called by several threads at once, and who gets which number depends on the order.
// heddle: check
// expect: verdict=clean complete=true outcomes=01,10
// Traces: the two calls in either order, 2.
// traces: 2 enumerated
// heddle: check -- seed
// expect: verdict=clean complete=true outcomes=00,01
// traces: 2 enumerated -- seed
// heddle: check -- twice
// expect: verdict=clean complete=true outcomes=01,02,10,20
// Traces: two calls each, C(4,2) = 6.
// traces: 6 enumerated -- twice
#define _GNU_SOURCE
#include <heddle.h>
#include <stdlib.h>

#include "run_threads.h"

static int numbers[4], got[2], seeds, twice;

static void *Draw(void *arg) {
  const long self = (long)arg;
  if (seeds && self == 0) {
    srandom(1);
    return 0;
  }
  const int number = self == 0 ? rand() : (int)random();
  for (int i = 0; i < 4; i++)
    if (numbers[i] == number) got[self] = i;
  if (twice) rand();
  return 0;
}

int main(int argc, char **argv) {
  seeds = argc > 1 && argv[1][0] == 's';
  twice = argc > 1 && argv[1][0] == 't';
  for (int i = 0; i < 4; i++) numbers[i] = rand();
  srand(1);
  if (seeds) rand();
  RunSame(2, Draw);
  heddle_outcome("%d%d", got[0], got[1]);
}
