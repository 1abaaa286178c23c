// A round of a loop that waits leaves behind what it found, and something reads it: after the loop (argument 0), in the
// next round before it is overwritten (1), on one of its paths (2), or a part of it that is not overwritten (3). So it was not looked
// in vain, and the assertion fails.
// opt: -O0 -O1 -O2   compilers: gcc clang
// heddle: check -- 0
// expect: verdict=bug kind=assertion location=@later
// heddle: check -- 1
// expect: verdict=bug kind=assertion location=@before
// heddle: check -- 2
// expect: verdict=bug kind=assertion location=@in_one_way
// heddle: check -- 3
// expect: verdict=bug kind=assertion location=@part
// Graphs: the last round finds 4. Of 1, 2 and 3 each is found by a round before or not; a second round that finds the
// same is in vain. The first round of all may find 0, and is not in vain where it writes to the copy, of which nothing
// was known before. 2 * 2 * 2 * 2 = 16. Where the copy is overwritten in any case (1), only what was found counts: 8.
// traces: 16 --keep-going -- 0
// traces: 8 --keep-going -- 1
// traces: 16 --keep-going -- 2
// traces: 16 --keep-going -- 3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { kLast = 4 };

static atomic_int flag;
static int copy;

static void *Count(void *arg) {
  for (int i = 1; i <= kLast; i++) atomic_store(&flag, i);
  return arg;
}

static void Later(void) {
  int found;
  while ((found = atomic_load(&flag)) != kLast) copy = found;
  assert(copy != 2);  // @later
}

static void Before(void) {
  int before;
  do {
    before = copy;
    copy = atomic_load(&flag);
  } while (copy != kLast);
  assert(before != 2);  // @before
}

static void InOneWay(void) {
  for (;;) {
    const int found = atomic_load(&flag);
    if (found == kLast) {
      assert(copy != 2);  // @in_one_way
      return;
    }
    copy = found;
  }
}

static void Part(void) {
  int found;
  while ((found = atomic_load(&flag)) != kLast) copy = found << 8;
  *(volatile char *)&copy = 0;
  assert(copy != 2 << 8);  // @part
}

int main(int argc, char **argv) {
  pthread_t thread;
  const int way = argc > 1 ? atoi(argv[1]) : 0;
  pthread_create(&thread, NULL, Count, NULL);
  switch (way) {
    case 0: Later(); break;
    case 1: Before(); break;
    case 2: InOneWay(); break;
    default: Part();
  }
  pthread_join(thread, NULL);
}
