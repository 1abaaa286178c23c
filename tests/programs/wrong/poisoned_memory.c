// A pool that says what it does: what it hands out is unpoisoned, what comes back to it is poisoned. A use after that is a use after free, as it is of a
// block of malloc's, wherever the pool's memory lies.
// compilers: gcc clang   opt: -O0 -O2
// Two critical sections: who comes second is T1, which gives the node back, or T2, which writes to it.
// traces: 2 enumerated --keep-going -- ordered
// heddle: check -- ordered
// expect: verdict=bug kind=use-after-free preemptions=0 message~"T2 writes" message~"which lies in memory that was poisoned by T1 at poisoned_memory.c:"
// heddle: check --no-races -- ordered
// expect: verdict=bug kind=use-after-free message~"T2 writes" message~"poisoned by T1"
// heddle: check --keep-going --points all -- ordered
// expect: verdict=bug kinds=use-after-free bugs=1
// every search: use-after-free -- ordered
// heddle: check -- ordered static
// expect: verdict=bug kind=use-after-free message~"T2 writes slots[1]" message~"poisoned by T1"
// heddle: check -- ordered large
// expect: verdict=bug kind=use-after-free message~"T2 writes" message~"poisoned by T1"
// heddle: check -- ordered mapped
// expect: verdict=bug kind=use-after-free message~"T2 writes" message~"poisoned by T1"
// heddle: check -- ordered before_main
// expect: verdict=bug kind=use-after-free message~"T2 writes" message~"poisoned by T1"
// Two threads, of which one poisons and the other one unpoisons, and main, which writes when they have ended: their order is no
// difference in memory.
// traces: 2 enumerated --keep-going -- last
// heddle: check --visited states -- last
// expect: verdict=bug kind=use-after-free message~"main writes" message~"poisoned by T1"
// heddle: check --visited states --no-races -- last static
// expect: verdict=bug kind=use-after-free message~"main writes slots[1]" message~"poisoned by T1"
// Nothing orders the two: each comes first.
// heddle: check --keep-going -- unordered
// expect: verdict=bug complete=true kinds=use-after-free bugs=1
// heddle: check --keep-going -- unordered static
// expect: verdict=bug complete=true kinds=use-after-free bugs=1
// Before there is a second thread, and where there never is one.
// heddle: check -- before
// expect: verdict=bug kind=use-after-free message~"T1 reads" message~"poisoned by main"
// heddle: check -- alone
// expect: verdict=bug kind=use-after-free message~"main reads" message~"poisoned by main" executions=1
// heddle: check -- alone static
// expect: verdict=bug kind=use-after-free message~"main reads slots[1]" message~"poisoned by main" executions=1
// heddle: check -- alone large
// expect: verdict=bug kind=use-after-free message~"main reads" message~"poisoned by main" executions=1
// heddle: check -- alone mapped
// expect: verdict=bug kind=use-after-free message~"main reads" message~"poisoned by main" executions=1
// heddle: check -- alone before_main
// expect: verdict=bug kind=use-after-free message~"main reads" message~"poisoned by main" executions=1
// It is handed out to one thread, and read by another.
// heddle: check --keep-going -- taken
// expect: verdict=bug complete=true kinds=data-race,use-after-free bugs=2
// heddle: check --keep-going --points all -- taken static
// expect: verdict=bug complete=true kinds=data-race,use-after-free bugs=2
// By memcpy, an atomic, a lock; and of what is left of a pool that was poisoned as a whole.
// heddle: check -- copied
// expect: verdict=bug kind=use-after-free message~"main reads" message~"poisoned by main"
// heddle: check -- atomic
// expect: verdict=bug kind=use-after-free message~"T1" message~"poisoned by main"
// heddle: check -- lock
// expect: verdict=bug kind=use-after-free message~"T1 locks mutex" message~"poisoned by main"
// heddle: check -- rest
// expect: verdict=bug kind=use-after-free message~"main writes" message~"poisoned by main"
// heddle: check -- rest large
// expect: verdict=bug kind=use-after-free message~"main writes" message~"poisoned by main"
// One granule of eight bytes, in front of it and behind it what is not poisoned; and of two the one that was not unpoisoned.
// heddle: check -- granule
// expect: verdict=bug kind=use-after-free message~"main writes" message~"poisoned by main"
// heddle: check -- first_granule
// expect: verdict=bug kind=use-after-free message~"main writes" message~"poisoned by main"
// heddle: check --no-races -- granule threads
// expect: verdict=bug kind=use-after-free message~"main writes" message~"poisoned by main"
// What was freed stays so, poisoned or unpoisoned.
// heddle: check -- freed
// expect: verdict=bug kind=use-after-free message~"main reads" message~"freed by main"
#include <sanitizer/asan_interface.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "run_threads.h"

enum { kSlotBytes = 48, kSmallPool = 480, kLargePool = 2 << 20 };

// One that has a thread of its own has a lock of its own, too.
union Slot {
  char bytes[kSlotBytes];
  int value;
  atomic_int count;
  pthread_mutex_t lock;
};

static union Slot slots[8];
static union Slot *early;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static union Slot *slot;
static int locks;
int copy[4];

__attribute__((constructor)) static void AllocateEarly(void) { early = malloc(kSmallPool); }

static union Slot *Pool(const char *where) {
  if (where == NULL) return malloc(kSmallPool);
  if (strcmp(where, "static") == 0) return slots;
  if (strcmp(where, "large") == 0) return malloc(kLargePool);
  if (strcmp(where, "before_main") == 0) return early;
  return mmap(NULL, kLargePool, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void Lock(void) {
  if (locks) pthread_mutex_lock(&mutex);
}
static void Unlock(void) {
  if (locks) pthread_mutex_unlock(&mutex);
}

static void *GiveBack(void *unused) {
  Lock();
  __asan_poison_memory_region(slot, sizeof *slot);
  Unlock();
  return unused;
}

static void *Write(void *unused) {
  Lock();
  slot->value = 1;
  Unlock();
  return unused;
}

static void SetPoisoned(int poisoned) {
  pthread_mutex_lock(&mutex);
  if (poisoned)
    __asan_poison_memory_region(slot, sizeof *slot);
  else
    __asan_unpoison_memory_region(slot, sizeof *slot);
  pthread_mutex_unlock(&mutex);
}
static void *Poison(void *unused) {
  SetPoisoned(1);
  return unused;
}
static void *Unpoison(void *unused) {
  SetPoisoned(0);
  return unused;
}

static void *Take(void *unused) {
  __asan_unpoison_memory_region(slot, sizeof *slot);
  return unused;
}

static void *Read(void *unused) {
  copy[0] = slot->value;
  return unused;
}
static void *Count(void *unused) {
  atomic_fetch_add(&slot->count, 1);
  return unused;
}
static void *TakeLock(void *unused) {
  pthread_mutex_lock(&slot->lock);
  return unused;
}

static void RunOne(void *(*routine)(void *)) {
  pthread_t thread;
  pthread_create(&thread, NULL, routine, NULL);
  pthread_join(thread, NULL);
}

// `granule`: of two in a unit of sixteen bytes, the one that stays poisoned.
static void WriteGranule(int granule) {
  char *block = malloc(64);
  memset(block, 0, 64);
  if (granule == 0) __asan_poison_memory_region(block + 16, 8);
  __asan_poison_memory_region(block + 24, 8);
  if (granule == 0) __asan_unpoison_memory_region(block + 24, 8);
  memset(block, 1, 16);
  memset(block + 32, 1, 32);
  block[granule == 0 ? 24 : 16] = 1;
  block[granule == 0 ? 17 : 25] = 1;
}

int main(int count, char **arguments) {
  const char *what = arguments[1];
  const char *where = count > 2 ? arguments[2] : NULL;
  union Slot *pool = Pool(where != NULL && strcmp(where, "threads") == 0 ? NULL : where);
  const size_t pool_bytes = where != NULL && strcmp(where, "static") == 0 ? sizeof slots : kSmallPool;
  slot = &pool[1];
  if (strcmp(what, "first_granule") == 0) WriteGranule(0);
  if (strcmp(what, "granule") == 0) {
    if (where != NULL) RunOne(Read);
    WriteGranule(1);
    return 0;
  }
  if (strcmp(what, "ordered") == 0 || strcmp(what, "unordered") == 0) {
    locks = strcmp(what, "ordered") == 0;
    RunThreads(2, (const Body[]){GiveBack, Write});
    return 0;
  }
  if (strcmp(what, "last") == 0) {
    RunThreads(2, (const Body[]){Poison, Unpoison});
    slot->value = 1;
    return 0;
  }
  if (strcmp(what, "rest") == 0) {
    const size_t all = where == NULL ? pool_bytes : kLargePool;
    __asan_poison_memory_region(pool, all);
    __asan_unpoison_memory_region(&pool[1], sizeof *pool);
    pool[1].value = 1;
    ((char *)pool)[all - 1] = 1;
    return 0;
  }
  if (strcmp(what, "lock") == 0) pthread_mutex_init(&slot->lock, NULL);
  slot->bytes[0] = 1;
  if (strcmp(what, "freed") == 0) {
    free(pool);
    __asan_poison_memory_region(slot, sizeof *slot);
    __asan_unpoison_memory_region(slot, sizeof *slot);
    return slot->value;
  }
  __asan_poison_memory_region(slot, sizeof *slot);
  if (strcmp(what, "before") == 0) RunOne(Read);
  if (strcmp(what, "taken") == 0) RunThreads(2, (const Body[]){Take, Read});
  if (strcmp(what, "atomic") == 0) RunOne(Count);
  if (strcmp(what, "lock") == 0) RunOne(TakeLock);
  if (strcmp(what, "alone") == 0) copy[0] = slot->value;
  if (strcmp(what, "copied") == 0) memcpy(copy, slot, sizeof copy);
  return 0;
}
