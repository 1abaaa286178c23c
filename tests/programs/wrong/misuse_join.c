// Threads that cannot be joined or detached: POSIX leaves undefined what happens.
// heddle: check -- twice
// expect: verdict=bug kind=misuse location=@twice
// expect: message~"main joins T1, which was joined already"
// heddle: check -- self
// expect: verdict=bug kind=misuse location=@self message~"T1 joins itself" thread=T1
// heddle: check -- detached
// expect: verdict=bug kind=misuse location=@detached message~"main joins T1, which is detached"
// heddle: check --keep-going -- both
// expect: verdict=bug bugs=1 kind=misuse location=@both message~"is joining it"
// heddle: check -- try
// expect: verdict=bug kind=misuse location=@try message~"main joins T1, which was joined already"
// heddle: check -- detach-twice
// expect: verdict=bug kind=misuse location=@detach message~"main detaches T1, which is detached"
// heddle: check -- c11
// expect: verdict=bug kind=misuse location=@c11 message~"main joins T1, which was joined already"
// Graphs: one thread at a time, 1. Where both join the worker, the second to begin is in error. The first may have
// begun only; or the worker has ended before that or after it: 3. The first may have joined: 2. If T3 is the first,
// main may have begun to join T2 or not: 5 * 2. If T2 is, and has not joined: 3 * 2. If it has: it has not ended, 2, or
// has ended and main has not begun, 1, or began before or after that, and then has joined T2 or not, or has gone on to
// T3: 6. 2 * 9. In all 34 and 4.
// graphs: 38 --keep-going -- both
// traces: 1 enumerated --keep-going -- twice
// traces: 1 enumerated --keep-going -- self
// traces: 1 enumerated --keep-going -- detached
// traces: 1 enumerated --keep-going -- try
// traces: 1 enumerated --keep-going -- detach-twice
// traces: 1 enumerated --keep-going -- c11
#define _GNU_SOURCE
#include <string.h>
#include <threads.h>

#include "run_threads.h"

static pthread_t worker;

static void *Work(void *arg) { return arg; }

static void *JoinSelf(void *arg) {
  pthread_join(pthread_self(), 0);  // @self
  return arg;
}

static void *JoinWorker(void *arg) {
  pthread_join(worker, 0);  // @both
  return arg;
}

static int WorkC11(void *arg) {
  (void)arg;
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  const char *how = argv[1];
  if (strcmp(how, "self") == 0) {
    RunSame(1, JoinSelf);
  } else if (strcmp(how, "c11") == 0) {
    thrd_t thread;
    thrd_create(&thread, WorkC11, 0);
    thrd_join(thread, 0);
    thrd_join(thread, 0);  // @c11
  } else {
    pthread_create(&worker, 0, Work, 0);
    if (strcmp(how, "both") == 0) {
      RunSame(2, JoinWorker);
    } else if (strstr(how, "detach") != 0) {
      pthread_detach(worker);
      if (strcmp(how, "detached") == 0) pthread_join(worker, 0);  // @detached
      pthread_detach(worker);                                     // @detach
    } else {
      pthread_join(worker, 0);
      if (strcmp(how, "try") == 0) pthread_tryjoin_np(worker, 0);  // @try
      pthread_join(worker, 0);                                     // @twice
    }
  }
}
