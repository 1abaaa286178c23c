// Objects that nobody initialised. In memory fresh from malloc, or freed, it is certain; where the
// memory only looks like no object, it is likely.
// heddle: check -- heap mutex
// expect: verdict=bug kind=misuse location=@mutex
// expect: message~"locks mutex block#1, which was never initialised: "
// expect: message~"its memory is as the allocator returned it"
// heddle: check -- heap trylock
// expect: verdict=bug kind=misuse location=@trylock
// expect: message~"locks mutex block#1, which was never initialised"
// heddle: check -- heap unlock
// expect: verdict=bug kind=misuse location=@unlock
// expect: message~"unlocks mutex block#1, which was never initialised"
// heddle: check -- heap destroy
// expect: verdict=bug kind=misuse location=@destroy
// expect: message~"destroys condition variable block#1+40, which was never initialised"
// heddle: check -- heap signal
// expect: verdict=bug kind=misuse location=@signal
// expect: message~"signals condition variable block#1+40, which was never initialised"
// heddle: check -- heap wait
// expect: verdict=bug kind=misuse location=@wait
// expect: message~"waits on condition variable block#1+40, which was never initialised"
// heddle: check -- heap rwlock
// expect: verdict=bug kind=misuse location=@rwlock
// expect: message~"locks read-write lock block#1+88, which was never initialised"
// heddle: check -- heap semaphore
// expect: verdict=bug kind=misuse location=@semaphore
// expect: message~"posts semaphore block#1+144, which was never initialised"
// heddle: check -- heap barrier
// expect: verdict=bug kind=misuse location=@barrier
// expect: message~"arrives at barrier block#1+176, which was never initialised"
// heddle: check -- freed mutex
// expect: verdict=bug kind=use-after-free location=@mutex
// expect: message~"locks mutex block#1, which lies in memory that was freed"
// heddle: check -- garbage mutex
// expect: verdict=bug kind=misuse location=@mutex message~"which is probably not initialised"
// heddle: check -- garbage wait
// expect: verdict=bug kind=misuse location=@wait message~"which is probably not initialised"
// opt: -O0 -O2
// main only joins the thread: 1 execution.
// traces: 1 enumerated --keep-going -- heap mutex
// traces: 1 enumerated --keep-going -- garbage wait
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

typedef struct {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  pthread_rwlock_t rwlock;
  sem_t semaphore;
  pthread_barrier_t barrier;
} Objects;

static pthread_mutex_t good = PTHREAD_MUTEX_INITIALIZER;
static Objects *objects;
static const char *what;

static int Is(const char *name) { return strcmp(what, name) == 0; }

static void *Use(void *arg) {
  pthread_mutex_lock(&good);
  if (Is("mutex")) pthread_mutex_lock(&objects->mutex);           // @mutex
  if (Is("trylock")) pthread_mutex_trylock(&objects->mutex);      // @trylock
  if (Is("unlock")) pthread_mutex_unlock(&objects->mutex);        // @unlock
  if (Is("destroy")) pthread_cond_destroy(&objects->condition);   // @destroy
  if (Is("signal")) pthread_cond_signal(&objects->condition);     // @signal
  if (Is("wait")) pthread_cond_wait(&objects->condition, &good);  // @wait
  if (Is("rwlock")) pthread_rwlock_rdlock(&objects->rwlock);      // @rwlock
  if (Is("semaphore")) sem_post(&objects->semaphore);             // @semaphore
  if (Is("barrier")) pthread_barrier_wait(&objects->barrier);     // @barrier
  pthread_mutex_unlock(&good);
  return arg;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  what = argv[2];
  objects = malloc(sizeof *objects);
  if (strcmp(argv[1], "freed") == 0) free(objects);
  if (strcmp(argv[1], "garbage") == 0) memset(objects, 0x5c, sizeof *objects);
  RunSame(1, Use);
}
