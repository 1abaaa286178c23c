// A thread reads twice, and both reads race with the same write. The second one is the one that is told of first, and becomes a
// scheduling point; that the first one races, too, must not be taken for that: only if it can come after the write is the block
// freed before it is read.
// heddle: check --keep-going
// expect: verdict=bug complete=true kinds=data-race,use-after-free bugs=4
// heddle: check --keep-going
// expect: kind=data-race location=@first
// heddle: check --keep-going --reduction optimal
// expect: verdict=bug complete=true kinds=data-race,use-after-free bugs=4
// heddle: check --keep-going --reduction none --order depth-first
// expect: verdict=bug complete=true kinds=data-race,use-after-free bugs=4
// heddle: check --keep-going --points all
// expect: verdict=bug complete=true kinds=data-race,use-after-free bugs=4
#include <pthread.h>
#include <stdlib.h>

static char *volatile shared;

static void *Reads(void *arg) {
  char *volatile mine = shared;  // @first
  if (mine) free(mine);
  mine = shared;  // @second
  if (mine) (void)*(volatile char *)mine;
  return arg;
}

static void *Publishes(void *arg) {
  char *block = malloc(8);
  *(volatile char *)block = 1;
  __atomic_store_n(&shared, block, __ATOMIC_RELEASE);
  return arg;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, Reads, 0);
  pthread_create(&threads[1], 0, Publishes, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
}
