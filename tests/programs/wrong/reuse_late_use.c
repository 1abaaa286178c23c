// A block is used after it was freed and allocated again. Where nothing orders the use behind that, either choice finds it; where
// something does, only what hands out late.
// compilers: gcc clang
// heddle: check -- unordered
// expect: verdict=bug kind=use-after-free
// heddle: check --keep-going -- unordered
// expect: verdict=bug kinds=use-after-free bugs=1
// heddle: check --keep-going --reuse now -- unordered
// expect: verdict=bug kinds=use-after-free bugs=1
// heddle: check --keep-going --reuse now --reduction none --order depth-first -- unordered
// expect: verdict=bug kinds=use-after-free bugs=1
// heddle: check --keep-going --reuse now --points all -- unordered
// expect: verdict=bug kinds=use-after-free bugs=1
// heddle: check -- ordered
// expect: verdict=bug kind=use-after-free location=@ordered
// heddle: check --reuse now -- ordered
// expect: verdict=clean complete=true executions=1
// heddle: check --keep-going -- atomic
// expect: verdict=bug kinds=use-after-free bugs=1
// heddle: check --keep-going --reuse now -- atomic
// expect: verdict=bug kinds=use-after-free bugs=1
// heddle: check --keep-going --reuse now -- mutex
// expect: verdict=bug kinds=use-after-free bugs=1
// heddle: check --keep-going -- freed_again
// expect: verdict=bug kinds=double-free bugs=2
// heddle: check --keep-going --reuse now -- freed_again
// expect: verdict=bug kinds=double-free,use-after-free
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char *block, *other;

static void *Frees(void *arg) {
  free(block);
  other = malloc(64);
  memset(other, 1, 64);
  return arg;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "unordered";
  pthread_t thread;
  block = malloc(64);
  memset(block, 0, 64);
  pthread_create(&thread, NULL, Frees, NULL);
  if (strcmp(what, "ordered") == 0) pthread_join(thread, NULL);
  if (strcmp(what, "ordered") == 0) return *(volatile char *)block == 5;  // @ordered
  if (strcmp(what, "unordered") == 0) *(volatile char *)block = 2;
  if (strcmp(what, "atomic") == 0) __atomic_fetch_add((int *)block, 1, __ATOMIC_RELAXED);
  if (strcmp(what, "mutex") == 0) {
    pthread_mutex_lock((pthread_mutex_t *)block);
    pthread_mutex_unlock((pthread_mutex_t *)block);
  }
  if (strcmp(what, "freed_again") == 0) free(block);
  pthread_join(thread, NULL);
}
