// Two threads look whether there is room, and add one, in two critical sections: the block overflows if both look before one adds. The six orders of
// the four sections are six traces; in four of them the second to add goes beyond the end, and which access does is one bug.
// compilers: gcc clang
// traces: 6 enumerated --keep-going
// heddle: check
// expect: verdict=bug kind=heap-buffer-overflow preemptions=1 location=@add message~"writes 4 bytes, 0 bytes after the end of " message~"8 bytes, allocated by main at"
// heddle: check --keep-going
// expect: verdict=bug complete=true kinds=heap-buffer-overflow bugs=1
// heddle: check --keep-going --no-races --rewind checkpoint --order depth-first
// expect: verdict=bug kinds=heap-buffer-overflow bugs=1
// heddle: check --keep-going --rewind fork
// expect: verdict=bug complete=true kinds=heap-buffer-overflow bugs=1
// every search: heap-buffer-overflow
#include <stdlib.h>

#include "run_threads.h"

enum { kRoom = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *values;
static int count = 1;

static void *Add(void *arg) {
  pthread_mutex_lock(&mutex);
  const int has_room = count < kRoom;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  if (has_room) values[count++] = 1;  // @add
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  values = malloc(kRoom * sizeof *values);
  RunSame(2, Add);
  free(values);
}
