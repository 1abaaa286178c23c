// Objects in a frame that has returned, used by a thread that may come too late. Nothing orders the last use and the return, or the
// compilers: gcc clang   opt: -O0 -O1 -O2
// return comes first in every order, or the use learns of it.
// unlock: the last user says so inside its lock; the owner looks without the lock, and returns.
// heddle: check -- unlock
// expect: verdict=bug kind=use-after-return message~"T1 unlocks mutex" message~"which lies in a frame of main that has returned"
// trylock: nobody has used the mutex when its frame returns.
// heddle: check -- trylock
// expect: verdict=bug kind=use-after-return message~"T1 tries to lock mutex" message~"frame of main that has returned"
// broadcast: the waiter has seen what it waits for, and has destroyed the condition variable and returned.
// heddle: check -- broadcast
// expect: verdict=bug kind=use-after-return message~"T1 broadcasts condition variable"
// post: nothing waits for T1 before the frame returns.
// heddle: check -- post
// expect: verdict=bug kind=use-after-return message~"T1 posts semaphore"
// atomic: the same. The access is not made: it might meet heddle's own frames.
// heddle: check -- atomic
// expect: verdict=bug kind=use-after-return message~"T1 stores atomic" message~"frame of main that has returned"
// learnt: T1 is told that the frame has returned, and uses what was in it nevertheless.
// heddle: check -- learnt
// expect: verdict=bug kind=use-after-return message~"T1 tries to lock mutex" message~"frame of main that has returned"
// ended: what lies on the stack of a thread that has ended; T1 is its owner here.
// heddle: check -- ended
// expect: verdict=bug kind=use-after-return message~"main tries to lock mutex" message~"on the stack of T1, which has ended"
// covered: further calls of the owner make operations where the frame was.
// heddle: check -- covered
// expect: verdict=bug kind=use-after-return message~"T1 tries to lock mutex" message~"frame of main that has returned"
// every search with --all: use-after-return
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

struct Objects {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  sem_t semaphore;
  atomic_int users;
  atomic_int flag;
  int set;
};

static const char *kind;
static int joined;
static struct Objects *_Atomic shared;
static atomic_int returned;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;

static int Is(const char *name) { return strcmp(kind, name) == 0; }

static void *Use(void *arg) {
  struct Objects *objects = shared;
  if (objects == NULL) return arg;
  if (Is("unlock")) {
    pthread_mutex_lock(&objects->mutex);
    objects->users--;
    pthread_mutex_unlock(&objects->mutex);
  } else if (Is("broadcast")) {
    pthread_mutex_lock(&objects->mutex);
    objects->set = 1;
    pthread_mutex_unlock(&objects->mutex);
    pthread_cond_broadcast(&objects->condition);
  } else if (Is("post")) {
    sem_post(&objects->semaphore);
  } else if (Is("atomic")) {
    objects->flag = 1;
  } else if (!Is("learnt") || returned) {
    if (pthread_mutex_trylock(&objects->mutex) == 0) pthread_mutex_unlock(&objects->mutex);
  }
  return arg;
}

__attribute__((noinline)) static void Give(pthread_t *thread) {
  struct Objects own;
  pthread_mutex_init(&own.mutex, 0);
  pthread_cond_init(&own.condition, 0);
  sem_init(&own.semaphore, 0, 0);
  own.users = 1;
  own.flag = 0;
  own.set = 0;
  shared = &own;
  if (thread != NULL) pthread_create(thread, 0, Use, 0);
  if (Is("unlock")) {
    joined = own.users != 0;
    if (joined) pthread_join(*thread, 0);
  } else if (Is("broadcast")) {
    pthread_mutex_lock(&own.mutex);
    while (!own.set) pthread_cond_wait(&own.condition, &own.mutex);
    pthread_mutex_unlock(&own.mutex);
    pthread_cond_destroy(&own.condition);
  }
}

__attribute__((noinline)) static void Cover(void) {
  volatile char frame[4096];
  frame[0] = 1;
  pthread_mutex_lock(&other);
  frame[1] = 1;
  pthread_mutex_unlock(&other);
}

static void *Own(void *arg) {
  Give(NULL);
  return arg;
}

int main(int argc, char **argv) {
  pthread_t thread;
  kind = argc > 1 ? argv[1] : "unlock";
  if (Is("ended")) {
    pthread_create(&thread, 0, Own, 0);
    Use(0);
    return pthread_join(thread, 0);
  }
  Give(&thread);
  if (Is("learnt")) returned = 1;
  if (Is("covered")) {
    pthread_mutex_lock(&other);
    pthread_mutex_unlock(&other);
    Cover();
  }
  if (!joined) pthread_detach(thread);
}
