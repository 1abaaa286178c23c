// Two threads write neighbouring bytes, halves of one word, and neighbouring members: none of
// this is a race.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check
// expect: verdict=clean complete=true
// Graphs: only the two updates of the atomic conflict, 2.
// traces: 2 enumerated
#include <stdatomic.h>
#include <string.h>

#include "run_threads.h"

static char bytes[2];
static short halves[2];
static struct {
  char tag;
  int value;
  char end;
} record;
static char block[9];
static atomic_int point;

static void *Write(void *arg) {
  long me = (long)arg;
  bytes[me] = 1;
  halves[me] = 2;
  point++;
  if (me)
    record.tag = record.end = 3;
  else
    record.value = 4;
  memset(block + me * 5, 5, 4 + !me);  // bytes 0..4 and 5..8
  return 0;
}

int main() {
  RunSame(2, Write);
  assert(bytes[0] + bytes[1] + halves[0] + halves[1] == 6);
  assert(record.tag == 3 && record.end == 3 && record.value == 4);
  for (int i = 0; i < 9; i++) assert(block[i] == 5);
}
