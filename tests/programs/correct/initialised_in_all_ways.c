// Every way to make a primitive, and memory that held another one before: none of it is misuse.
// compilers: gcc clang
// opt: -O0 -O2
// One of them is a read-write lock that prefers writers, which is not modelled as such: what is
// explored is not called complete.
// heddle: check
// expect: incomplete=prefers-writers bugs=0 executions=2 happens_before=2
// Two orders of the threads at the mutex; they signal where nobody waits. 2 graphs, each one execution.
// heddle: check --strict
// expect: incomplete=prefers-writers bugs=0
#define _GNU_SOURCE
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <threads.h>

#include "run_threads.h"

static pthread_mutex_t zero;  // on glibc, that is PTHREAD_MUTEX_INITIALIZER
static pthread_cond_t zero_condition;
static pthread_mutex_t nested = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

static void Use(pthread_mutex_t *mutex) {
  assert(pthread_mutex_lock(mutex) == 0);
  assert(pthread_mutex_unlock(mutex) == 0);
}

static void UseCondition(pthread_cond_t *condition) {
  assert(pthread_cond_signal(condition) == 0);
  assert(pthread_cond_broadcast(condition) == 0);
}

static void Kinds(void) {
  static const int types[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE,
                              PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_ADAPTIVE_NP};
  static const int protocols[] = {PTHREAD_PRIO_NONE, PTHREAD_PRIO_INHERIT, PTHREAD_PRIO_PROTECT};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int shared = 0; shared < 2; ++shared) {
        pthread_mutexattr_t attributes;
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_settype(&attributes, types[i]);
        pthread_mutexattr_setprotocol(&attributes, protocols[j]);
        pthread_mutexattr_setpshared(&attributes, shared);
        pthread_mutexattr_setrobust(&attributes, shared && protocols[j] != PTHREAD_PRIO_PROTECT);
        pthread_mutex_t *mutex = malloc(sizeof *mutex);
        assert(pthread_mutex_init(mutex, &attributes) == 0);
        Use(mutex);
        assert(pthread_mutex_destroy(mutex) == 0);
        free(mutex);
      }
    }
  }
}

static void Shared(void) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_t *condition =
      mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert(pthread_cond_init(condition, &attributes) == 0);
  UseCondition(condition);
  assert(pthread_cond_destroy(condition) == 0);
  munmap(condition, 4096);
}

// The same bytes as one object after the other, each made in another way.
static void Again(void) {
  union {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    pthread_rwlock_t rwlock;
    pthread_barrier_t barrier;
    sem_t semaphore;
    mtx_t mtx;
    cnd_t cnd;
  }* memory = calloc(1, sizeof *memory);
  Use(&memory->mutex);
  for (int round = 0; round < 2; ++round) {
    pthread_mutex_destroy(&memory->mutex);
    memory->mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    Use(&memory->mutex);
    pthread_mutex_destroy(&memory->mutex);
    pthread_mutex_init(&memory->mutex, 0);
    Use(&memory->mutex);
    pthread_mutex_destroy(&memory->mutex);
    memset(memory, 0, sizeof *memory);
    Use(&memory->mutex);
    UseCondition(&memory->condition);
    pthread_cond_destroy(&memory->condition);
    memory->condition = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    UseCondition(&memory->condition);
    pthread_cond_destroy(&memory->condition);
    pthread_rwlock_init(&memory->rwlock, 0);
    pthread_rwlock_rdlock(&memory->rwlock);
    pthread_rwlock_unlock(&memory->rwlock);
    pthread_rwlock_destroy(&memory->rwlock);
    pthread_rwlock_init(&memory->rwlock, 0);
    pthread_rwlock_wrlock(&memory->rwlock);
    pthread_rwlock_unlock(&memory->rwlock);
    pthread_rwlock_destroy(&memory->rwlock);
    pthread_barrier_init(&memory->barrier, 0, 1);
    pthread_barrier_wait(&memory->barrier);
    pthread_barrier_destroy(&memory->barrier);
    pthread_barrier_init(&memory->barrier, 0, 1);
    pthread_barrier_wait(&memory->barrier);
    pthread_barrier_destroy(&memory->barrier);
    sem_init(&memory->semaphore, 0, 1);
    sem_wait(&memory->semaphore);
    sem_destroy(&memory->semaphore);
    sem_init(&memory->semaphore, 0, 0);
    sem_post(&memory->semaphore);
    sem_destroy(&memory->semaphore);
    mtx_init(&memory->mtx, mtx_recursive);
    mtx_lock(&memory->mtx);
    mtx_unlock(&memory->mtx);
    mtx_destroy(&memory->mtx);
    cnd_init(&memory->cnd);
    cnd_signal(&memory->cnd);
    cnd_destroy(&memory->cnd);
    pthread_mutex_init(&memory->mutex, 0);
    Use(&memory->mutex);
  }
  pthread_mutex_destroy(&memory->mutex);
  free(memory);
  pthread_mutex_t *next = malloc(sizeof *next);
  pthread_mutex_init(next, 0);
  Use(next);
  pthread_mutex_destroy(next);
  free(next);
}

static void *Work(void *arg) {
  Use(&zero);
  UseCondition(&zero_condition);
  return arg;
}

int main() {
  Use(&nested);
  Use(&checking);
  Use(&adaptive);
  pthread_rwlock_wrlock(&rwlock);
  pthread_rwlock_unlock(&rwlock);
  Kinds();
  Shared();
  Again();
  RunSame(2, Work);
}
