// The last user of an object says so inside its lock; the owner, who looks without the lock, frees the object before the user has
// unlocked it. Nothing orders the two: the free is a step that depends on the unlock, and comes before it or after it. Where it comes
// before, the unlock is a use of freed memory.
// heddle: check
// expect: verdict=bug kind=use-after-free location=@unlock message~"T1 unlocks mutex" message~"which lies in memory that was freed by main at freed_before_unlock.c:"
// heddle: check --no-races
// expect: verdict=bug kind=use-after-free location=@unlock
// The owner looks before the user has said so (1), or frees before or after the unlock (2). In a block of many pages likewise.
// traces: 3 enumerated --keep-going
// traces: 3 enumerated --keep-going -- 20000
// every search with --all: use-after-free
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

struct Shared {
  pthread_mutex_t mutex;
  atomic_int users;
};

static struct Shared *shared;

static void *Use(void *arg) {
  pthread_mutex_lock(&shared->mutex);
  atomic_fetch_sub(&shared->users, 1);
  pthread_mutex_unlock(&shared->mutex);  // @unlock
  return arg;
}

int main(int argc, char **argv) {
  size_t before = argc > 1 ? (size_t)atoi(argv[1]) : 0;  // bytes
  char *block = malloc(before + sizeof *shared);
  pthread_t thread;
  shared = (struct Shared *)(block + before);
  pthread_mutex_init(&shared->mutex, 0);
  shared->users = 1;
  pthread_create(&thread, 0, Use, 0);
  if (shared->users == 0) free(block);
  pthread_join(thread, 0);
}
