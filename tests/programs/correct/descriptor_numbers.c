// Two threads open, use and close a descriptor each. Which number a thread gets depends on what the
// other has open; what it then does with the number does not meet the other's.
// heddle: check
// expect: verdict=clean complete=true outcomes=00,01,10
// Traces: opens and closes meet in the table of descriptors, uses of two numbers do not: C(4,2) = 6.
// traces: 6 enumerated
// heddle: check -- 1
// expect: verdict=clean complete=true outcomes=00,01,10
// traces: 6 enumerated -- 1
#include <assert.h>
#include <fcntl.h>
#include <heddle.h>
#include <stdio.h>
#include <unistd.h>

#include "run_threads.h"

static int first, got[2], streams;

static void *Use(void *arg) {
  int *mine = arg;
  if (streams) {
    FILE *file = fopen("/dev/null", "r");
    assert(file);
    *mine = fileno(file);
    assert(lseek(*mine, 0, SEEK_CUR) == 0);
    fclose(file);
    return 0;
  }
  *mine = open("/dev/null", O_WRONLY);
  assert(write(*mine, "x", 1) == 1);
  assert(close(*mine) == 0);
  return 0;
}

int main(int argc, char **argv) {
  (void)argv;
  streams = argc > 1;
  first = dup(0);
  close(first);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, Use, &got[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  heddle_outcome("%d%d", got[0] - first, got[1] - first);
}
