// Two threads write, read what the other wrote, and end the program if that was there already. However a thread ends it, that
// is an operation before which the other may go on. Of each way there are four traces: T1 read first, T2 read first (the
// other ends the program), and both wrote before (either ends it).
// heddle: check --keep-going -- assert
// expect: verdict=bug complete=true kinds=assertion
// heddle: check --keep-going -- crash
// expect: verdict=bug complete=true kinds=crash message~"null pointer: write to address"
// heddle: check --keep-going -- call
// expect: verdict=bug complete=true kinds=crash message~"null pointer: jump to address"
// heddle: check --keep-going -- divide
// expect: verdict=bug complete=true kinds=crash message~"SIGFPE"
// heddle: check --keep-going -- free
// expect: verdict=bug complete=true kinds=double-free
// heddle: check --keep-going -- unlock
// expect: verdict=bug complete=true kinds=misuse message~"which is not locked"
// heddle: check --keep-going -- wait
// expect: verdict=bug complete=true kinds=misuse message~"which it has not locked"
// heddle: check --keep-going -- load
// expect: verdict=bug complete=true kinds=crash message~"null pointer: read of address"
// heddle: check --keep-going -- store
// expect: verdict=bug complete=true kinds=crash message~"null pointer: write to address"
// heddle: check --keep-going -- set
// expect: verdict=bug complete=true kinds=crash message~"null pointer: write to address"
// heddle: check --keep-going -- lock
// expect: verdict=bug complete=true kinds=crash message~"null pointer: read of address"
// traces: 4 --keep-going -- assert
// traces: 4 --keep-going -- crash
// traces: 4 --keep-going -- call
// traces: 4 --keep-going -- divide
// traces: 4 --keep-going -- free
// traces: 4 --keep-going -- unlock
// traces: 4 --keep-going -- wait
// traces: 4 --keep-going -- load
// traces: 4 --keep-going -- store
// traces: 4 --keep-going -- set
// traces: 4 --keep-going -- lock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_int wrote[2];
static const char *way;
static int *volatile nowhere;
static void (*volatile no_function)(void);

static void End(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;  // each thread its own
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  if (strcmp(way, "assert") == 0) assert(0);
  if (strcmp(way, "crash") == 0) *nowhere = 1;
  if (strcmp(way, "call") == 0) no_function();
  volatile int number = 1, zero = 0;
  if (strcmp(way, "divide") == 0) number = number / zero;
  if (strcmp(way, "free") == 0) {
    void *volatile block = malloc(1);
    free(block);
    free(block);
  }
  if (strcmp(way, "unlock") == 0) pthread_mutex_unlock(&mutex);
  if (strcmp(way, "wait") == 0) pthread_cond_wait(&condition, &mutex);
  if (strcmp(way, "load") == 0) atomic_load((atomic_int *)nowhere);
  if (strcmp(way, "store") == 0) atomic_store((atomic_int *)nowhere, 1);
  if (strcmp(way, "set") == 0) memset(nowhere, way[0], 100);
  if (strcmp(way, "lock") == 0) pthread_mutex_lock((pthread_mutex_t *)nowhere);
}

static void *Thread(void *argument) {
  const int self = argument != NULL;
  atomic_store(&wrote[self], 1);
  if (atomic_load(&wrote[1 - self]) == 1) End();
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[2];
  way = argc > 1 ? argv[1] : "assert";
  pthread_create(&threads[0], NULL, Thread, NULL);
  pthread_create(&threads[1], NULL, Thread, threads);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
