// Two threads free what a third one reads. Each free is a bug of its own, also where the same access comes after either; and who
// frees for the second time is not the one who freed what is read.
// heddle: check --keep-going
// expect: verdict=bug complete=true kinds=double-free,use-after-free bugs=4
// heddle: check --keep-going --reduction optimal
// expect: kind=use-after-free location=@one
// heddle: check --keep-going --reduction optimal
// expect: kind=use-after-free location=@other
// heddle: check --keep-going --reduction none --order depth-first
// expect: verdict=bug complete=true kinds=double-free,use-after-free bugs=4
// heddle: check --keep-going --points all
// expect: verdict=bug complete=true kinds=double-free,use-after-free bugs=4
// Each second free names the first.
// heddle: check --keep-going --reduction optimal
// expect: kind=double-free location=@one message~"is freed twice, first by T2 at freed_by_two.c:"
// heddle: check --keep-going --reduction optimal
// expect: kind=double-free location=@other message~"is freed twice, first by T1 at freed_by_two.c:"
#include <pthread.h>
#include <stdlib.h>

static char *shared;
int found, read;

static void *Frees(void *arg) {
  char *volatile mine = shared;
  free(mine);  // @one
  return arg;
}

static void *FreesToo(void *arg) {
  char *volatile mine = shared;
  found = 0;
  free(mine);  // @other
  return arg;
}

static void *Uses(void *arg) {
  char *volatile mine = shared;
  read = mine[0];
  return arg;
}

int main(void) {
  pthread_t threads[3];
  shared = calloc(8, 1);
  pthread_create(&threads[0], 0, Frees, 0);
  pthread_create(&threads[1], 0, FreesToo, 0);
  pthread_create(&threads[2], 0, Uses, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
}
