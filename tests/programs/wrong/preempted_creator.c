// A thread that creates another one has run for that: if the new one goes before the creator's next operation, the creator
// was preempted. Every search, set of points and report counts that alike, also where the creator makes the new thread before
// its first operation, or after a wait that another thread's end completes.
// heddle: check
// expect: verdict=bug kind=assertion preemptions=1 fewer_may_do=false
// heddle: check --points all
// expect: verdict=bug kind=assertion preemptions=1
// heddle: check --points every --order context-bounded
// expect: verdict=bug kind=assertion preemptions=1 fewer_may_do=false
// heddle: check --order context-bounded
// expect: verdict=bug kind=assertion preemptions=1 fewer_may_do=false
// heddle: check --order context-bounded --reduction none
// expect: verdict=bug kind=assertion preemptions=1 fewer_may_do=false
// heddle: check --order context-bounded --reduction happens-before
// expect: verdict=bug kind=assertion preemptions=1 fewer_may_do=false
// heddle: check --order context-bounded --reduction happens-before-all
// expect: verdict=bug kind=assertion preemptions=1 fewer_may_do=false
// heddle: check --visited states
// expect: verdict=bug kind=assertion preemptions=1
// heddle: check --preset zing
// expect: verdict=bug kind=assertion preemptions=1 fewer_may_do=false
// heddle: check --order best-first --reduction none --priority pb
// expect: verdict=bug kind=assertion preemptions=1
// heddle: check --order context-bounded -- woken
// expect: verdict=bug kind=assertion preemptions=1
// heddle: check --points all --order context-bounded -- woken
// expect: verdict=bug kind=assertion preemptions=1
// heddle: check --preset zing -- woken
// expect: verdict=bug kind=assertion preemptions=1
// heddle: check --preset cb-por -- woken
// expect: verdict=bug kind=assertion preemptions=1
// heddle: check --order context-bounded -- chain
// expect: verdict=bug kind=assertion preemptions=2
// heddle: check --points all --order context-bounded -- chain
// expect: verdict=bug kind=assertion preemptions=2
// heddle: check --preset zing -- chain
// expect: verdict=bug kind=assertion preemptions=2
// heddle: check --preset cb-por -- chain
// expect: verdict=bug kind=assertion preemptions=2
// heddle: check --order context-bounded -- waits
// expect: verdict=bug kind=assertion preemptions=0
// heddle: check --points all --order context-bounded -- waits
// expect: verdict=bug kind=assertion preemptions=0
// heddle: check --preset zing -- waits
// expect: verdict=bug kind=assertion preemptions=0
// heddle: check --preset cb-por -- waits
// expect: verdict=bug kind=assertion preemptions=0
// heddle: check --bound preemptions=0 --reduction none
// expect: verdict=clean guarantee~"any bug left needs at least 1 preemption"
// heddle: check --bound preemptions=0 --reduction happens-before
// expect: verdict=clean guarantee~"any bug left needs at least 1 preemption"
// heddle: check --bound preemptions=0 --reduction bounded
// expect: verdict=clean guarantee~"any bug left needs at least 1 preemption"
// heddle: check --bound preemptions=0 --reduction none -- woken
// expect: verdict=clean guarantee~"any bug left needs at least 1 preemption"
// heddle: check --bound preemptions=0 --reduction happens-before -- woken
// expect: verdict=clean guarantee~"any bug left needs at least 1 preemption"
// heddle: check --bound preemptions=0 --reduction bounded -- woken
// expect: verdict=clean guarantee~"any bug left needs at least 1 preemption"
// heddle: check --bound preemptions=1 --reduction none -- chain
// expect: verdict=clean guarantee~"any bug left needs at least 2 preemption"
// heddle: check --bound preemptions=1 --reduction happens-before -- chain
// expect: verdict=clean guarantee~"any bug left needs at least 2 preemption"
// heddle: check --bound preemptions=1 --reduction bounded -- chain
// expect: verdict=clean guarantee~"any bug left needs at least 2 preemption"
// Graphs: the load before the store or after it, 2, also where another thread was joined before. Of the chain: before the store;
// after it and before y is set; after both, 3. A load that only the store lets come, 1.
// traces: 2 --keep-going
// traces: 2 --keep-going -- woken
// traces: 3 --keep-going -- chain
// traces: 1 --keep-going -- waits
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>

#include "run_threads.h"

static atomic_int x, y, z;
static sem_t stored;
static const char *how;

static void *Store(void *arg) {
  x = 1;
  sem_post(&stored);
  return arg;
}

static void *Add(void *arg) {
  z++;
  return arg;
}

// Of "chain": between creator and the one that stores.
static void *Between(void *arg) {
  pthread_t thread;
  pthread_create(&thread, 0, Store, 0);
  y = 1;
  pthread_join(thread, 0);
  return arg;
}

static void *Create(void *arg) {
  pthread_t thread, other;
  int chain = strcmp(how, "chain") == 0;
  if (strcmp(how, "woken") == 0) {
    pthread_create(&other, 0, Add, 0);
    pthread_join(other, 0);
  }
  pthread_create(&thread, 0, chain ? Between : Store, 0);
  if (strcmp(how, "waits") == 0) sem_wait(&stored);
  int stored_first = x;
  assert(!stored_first || (chain && y != 0));
  pthread_join(thread, 0);
  return arg;
}

int main(int argc, char **argv) {
  how = argc == 2 ? argv[1] : "";
  RunSame(1, Create);
}
