// Plain accesses to a block that was freed. A finding names the access and the free, whether the access was ordered with it or not, and
// one premature free is one bug, however many accesses come too late. Where nothing orders the two, each comes before the other.
// compilers: gcc clang
// Two critical sections: who comes second is T1, which frees, or T2, which writes.
// traces: 2 enumerated --keep-going -- ordered
// heddle: check -- ordered
// expect: verdict=bug kind=use-after-free preemptions=0 message~"T2 writes" message~"freed by T1 at use_after_free.c:"
// heddle: check --no-races -- ordered
// expect: verdict=bug kind=use-after-free message~"T2 writes"
// heddle: check --keep-going --points all -- ordered
// expect: verdict=bug kinds=use-after-free bugs=1
// heddle: check --preset zing --keep-going -- ordered
// expect: verdict=bug kinds=use-after-free bugs=1
// every search: use-after-free -- ordered
// traces: 2 enumerated --keep-going -- unordered
// heddle: check --keep-going -- unordered
// expect: verdict=bug complete=true kinds=use-after-free bugs=1
// heddle: check --no-races --keep-going --points all -- unordered
// expect: verdict=bug kinds=use-after-free bugs=1 message~"T2 writes"
// heddle: check --keep-going -- several
// expect: verdict=bug kinds=use-after-free bugs=1
// heddle: check -- copied
// expect: verdict=bug kind=use-after-free message~"T2 reads"
// heddle: check -- moved
// expect: verdict=bug kind=use-after-free message~"T2 reads" message~"freed by T1"
// heddle: check -- unmapped
// expect: verdict=bug kind=use-after-free message~"T2 writes" message~"freed by T1"
// heddle: check -- shrunk
// expect: verdict=bug kind=use-after-free message~"T2 writes" message~"freed by T1"
// heddle: check -- large
// expect: verdict=bug kind=use-after-free message~"T2 writes"
// Before there is a second thread, and where there never is one.
// heddle: check -- before
// expect: verdict=bug kind=use-after-free message~"T1 reads" message~"freed by main"
// heddle: check -- alone
// expect: verdict=bug kind=use-after-free message~"main reads" message~"freed by main" executions=1
// heddle: check -- lock_alone
// expect: verdict=bug kind=use-after-free message~"main locks mutex" message~"freed by main"
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *volatile block;
int copy[4];
enum { kLocks = 1, kMoves = 2, kCopies = 4, kSeveral = 8, kMaps = 16, kShrinks = 32, kMapped = 8192 };
static int mode;

static void Lock(void) {
  if (mode & kLocks) pthread_mutex_lock(&mutex);
}
static void Unlock(void) {
  if (mode & kLocks) pthread_mutex_unlock(&mutex);
}

static void *Frees(void *arg) {
  Lock();
  if (mode & kMoves)
    free(realloc(block, 1000));
  else if (mode & kMaps)
    munmap(block, kMapped);
  else if (mode & kShrinks)
    mremap(block, kMapped, kMapped / 2, 0);
  else
    free(block);
  Unlock();
  return arg;
}

static void *Accesses(void *arg) {
  Lock();
  if (mode & kCopies)
    memcpy(copy, block, sizeof copy);
  else if (mode & kMoves)
    copy[0] = block[2];
  else if (mode & kShrinks)
    block[kMapped / 2 / sizeof *block + 2] = 5;
  else
    block[2] = 5;
  Unlock();
  if (mode & kSeveral) {
    Lock();
    block[1] = 6;
    copy[3] = block[3];
    Unlock();
  }
  return arg;
}

static void *Reads(void *arg) {
  copy[0] = block[2];
  return arg;
}

int main(int count, char **arguments) {
  assert(count == 2);
  const char *name = arguments[1];
  block = malloc(strcmp(name, "large") == 0 ? 2 << 20 : 100);
  memset(block, 0, 100);
  if (strcmp(name, "before") == 0 || strcmp(name, "alone") == 0) {
    free(block);
    if (*name == 'b') RunSame(1, Reads);
    Reads(0);
    return 0;
  }
  if (strcmp(name, "lock_alone") == 0) {
    pthread_mutex_t *own = malloc(sizeof *own);
    pthread_mutex_init(own, 0);
    free(own);
    pthread_mutex_lock(own);
    return 0;
  }
  if (strcmp(name, "ordered") == 0 || strcmp(name, "large") == 0) mode = kLocks;
  if (strcmp(name, "moved") == 0) mode = kLocks | kMoves;
  if (strcmp(name, "copied") == 0) mode = kLocks | kCopies;
  if (strcmp(name, "unmapped") == 0 || strcmp(name, "shrunk") == 0) {
    mode = kLocks | (strcmp(name, "shrunk") == 0 ? kShrinks : kMaps);
    block = mmap(0, kMapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  if (strcmp(name, "several") == 0) mode = kLocks | kSeveral;
  RunThreads(2, (const Body[]){Frees, Accesses});
}
