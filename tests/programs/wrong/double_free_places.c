// Both threads free a block, in code of their own, and nothing orders the two: each comes second in some execution,
// and the bug is there.
// Of blocks of more than 1 MiB the order is not followed, and the search is not complete.
// heddle: check
// expect: verdict=bug kind=double-free
// heddle: check --keep-going -- free
// expect: verdict=bug complete=true bugs=2 kinds=double-free location=@first
// heddle: check --keep-going --reduction source -- free
// expect: verdict=bug complete=true bugs=2 kinds=double-free location=@second
// heddle: check --keep-going --reduction none -- free
// expect: verdict=bug complete=true bugs=2 kinds=double-free
// heddle: check --keep-going --points all -- free
// expect: verdict=bug complete=true bugs=2 kinds=double-free
// heddle: check --keep-going -- realloc
// expect: verdict=bug complete=true bugs=2 kinds=double-free
// heddle: check --keep-going -- large
// expect: verdict=bug complete=false kinds=double-free incomplete=large-double-free
// heddle: check --keep-going -- ordered
// expect: verdict=bug complete=true bugs=2 kinds=double-free
// Executions: who frees first: 2. Under a mutex it is who locks first: 2.
// traces: 2 enumerated --keep-going -- free
// traces: 2 --keep-going -- realloc
// traces: 2 --keep-going -- ordered
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

static const char *kind;
static atomic_int owners;
static void *block;
static void *_Atomic moved;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *First(void *arg) {
  if (strcmp(kind, "ordered") == 0) {
    pthread_mutex_lock(&mutex);
    free(block);
    pthread_mutex_unlock(&mutex);
  } else if (owners == 0) {
    free(block);  // @first
  }
  return arg;
}

static void *Second(void *arg) {
  if (strcmp(kind, "ordered") == 0) {
    pthread_mutex_lock(&mutex);
    free(block);
    pthread_mutex_unlock(&mutex);
  } else if (strcmp(kind, "realloc") == 0) {
    if (owners == 0) atomic_store(&moved, realloc(block, 100000));
  } else if (owners == 0) {
    free(block);  // @second
  }
  return arg;
}

int main(int argc, char **argv) {
  kind = argc > 1 ? argv[1] : "free";
  block = malloc(strcmp(kind, "large") == 0 ? 2000000 : 16);
  RunThreads(2, (Body[]){First, Second});
}
