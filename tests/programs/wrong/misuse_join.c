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
// One thread at a time: 1. Where the worker is detached, it has ended when the program does or not, 2 graphs.
// Both join the worker: the second to begin is in error. Traces, with B and C the two begins, J the join of the first, E
// the end of the worker: B E J C, B E C J, B C E J, E B J C, E B C J: 5. If T2 is the first, main begins to join it
// before T2 ends or after that: 5 * 2. T3 first: main waits for T2 for ever: 5. In all 15.
// Graphs: B C, without E, is 1, with E, which has three places, 3, and with J 5, as above. If T3 is the first, it has not
// ended when the program does, or has (after J only), and main has begun to join T2 or not: (1 + 3 + 5 * 2) * 2. If T2
// is, and has not joined: (1 + 3) * 2. If it has: it has not ended, 2, or has ended and main has not begun, 1, or began
// before or after that, and then has joined T2 or not, or has gone on to T3: 6. 5 * 9. In all 28 + 8 + 45 = 81.
// (traces.py derives both, too.)
// traces: 15 --keep-going -- both
// graphs: 81 --keep-going -- both
// traces: 1 enumerated --keep-going -- twice
// traces: 1 enumerated --keep-going -- self
// traces: 1 --keep-going -- detached
// graphs: 2 --keep-going -- detached
// traces: 1 enumerated --keep-going -- try
// traces: 1 --keep-going -- detach-twice
// graphs: 2 --keep-going -- detach-twice
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
