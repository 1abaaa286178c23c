// Objects whose memory is freed when nobody uses it any more, by all that may say so; none is a use of freed memory.
// count: both lock, and the last to count down frees: who locks first and who counts first, 4 executions.
// traces: 4 enumerated -- count
// semaphore: main waits for T1's post, destroys the semaphore and frees it: 1. That the post has not returned does not matter.
// traces: 1 enumerated -- semaphore
// barrier: who arrives first, 2; main frees it while T1 may still be on its way out.
// traces: 2 enumerated -- barrier
// signal: main waits before T1 sets what it waits for, or need not wait, 2.
// traces: 2 enumerated -- signal
// reused: in each round of a loop another object at the same address as one that was freed: nothing is shared but what is read, 1.
// traces: 1 -- reused
// heddle: check -- count
// expect: verdict=clean complete=true warnings=0
// heddle: check -- reused
// expect: verdict=clean complete=true warnings=0
// every search: none
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

struct Objects {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  sem_t semaphore;
  pthread_barrier_t barrier;
  atomic_int users;
  int set;
};

static struct Objects *objects;
static const char *kind;
static atomic_int looks;

static int Is(const char *name) { return strcmp(kind, name) == 0; }

static struct Objects *Make(void) {
  struct Objects *made = malloc(sizeof *made);
  pthread_mutex_init(&made->mutex, 0);
  pthread_cond_init(&made->condition, 0);
  sem_init(&made->semaphore, 0, 0);
  pthread_barrier_init(&made->barrier, 0, 2);
  made->users = 2;
  made->set = 0;
  return made;
}

static void Delete(struct Objects *old) {
  pthread_mutex_destroy(&old->mutex);
  pthread_cond_destroy(&old->condition);
  sem_destroy(&old->semaphore);
  pthread_barrier_destroy(&old->barrier);
  free(old);
}

static void CountDown(void) {
  pthread_mutex_lock(&objects->mutex);
  objects->set++;
  pthread_mutex_unlock(&objects->mutex);
  if (atomic_fetch_sub(&objects->users, 1) == 1) Delete(objects);
}

static void *Reuse(void *arg) {
  for (int i = 0; i < 6; i++) {
    atomic_load(&looks);
    struct Objects *own = Make();
    pthread_mutex_lock(&own->mutex);
    own->set = 1;
    pthread_mutex_unlock(&own->mutex);
    sem_post(&own->semaphore);
    sem_wait(&own->semaphore);
    Delete(own);
  }
  return arg;
}

static void *Use(void *arg) {
  if (Is("count")) {
    CountDown();
  } else if (Is("semaphore")) {
    sem_post(&objects->semaphore);
  } else if (Is("barrier")) {
    pthread_barrier_wait(&objects->barrier);
  } else {
    pthread_mutex_lock(&objects->mutex);
    objects->set = 1;
    pthread_cond_signal(&objects->condition);
    pthread_mutex_unlock(&objects->mutex);
  }
  return arg;
}

int main(int argc, char **argv) {
  pthread_t thread;
  kind = argc > 1 ? argv[1] : "count";
  if (Is("reused")) {
    RunSame(2, Reuse);
    return 0;
  }
  objects = Make();
  pthread_create(&thread, 0, Use, 0);
  if (Is("count")) {
    CountDown();
  } else if (Is("semaphore")) {
    sem_wait(&objects->semaphore);
    Delete(objects);
  } else if (Is("barrier")) {
    pthread_barrier_wait(&objects->barrier);
    Delete(objects);
  } else {
    pthread_mutex_lock(&objects->mutex);
    while (!objects->set) pthread_cond_wait(&objects->condition, &objects->mutex);
    pthread_mutex_unlock(&objects->mutex);
    Delete(objects);
  }
  pthread_join(thread, 0);
}
