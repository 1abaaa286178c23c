// Threads that still run when the program ends are killed in the middle of what they do: a warning
// that names them, a bug with --strict. Whether they were joined, detached or neither is the same.
// heddle: check
// expect: verdict=clean complete=true warnings=1
// expect: warning~"main ended the program while T1 was still at misuse_left_threads.c:"
// expect: warning~"(waits for semaphore never)" warning~"T2 at misuse_left_threads.c:" warning~"they are killed there"
// With --strict to begin is a step, and the shortest schedule goes without it.
// heddle: check --strict
// expect: verdict=bug kind=misuse message~"main ended the program while T1 had not begun, T2 had not begun"
// heddle: check --strict --order depth-first --no-minimise
// expect: verdict=bug kind=misuse location=@wait
// expect: message~"main ended the program while T1 was still at misuse_left_threads.c:"
// heddle: check --strict --rewind fork --no-minimise
// expect: verdict=bug kind=misuse location=@wait
// heddle: check -- exit
// expect: verdict=clean complete=true warning~"T3 ended the program while main was still at"
// heddle: check --strict -- handler
// expect: verdict=clean complete=true warnings=0
// heddle: check -- thirty
// expect: verdict=clean complete=true warnings=1 warning~"and 27 more: they are killed there"
// Graphs: nobody but main and the thread that exits ever does anything, 1. The handler's two posts let both threads go:
// in two orders, the first one between the posts or after them, 4.
// traces: 1 
// traces: 1 -- exit
// traces: 1 -- thirty
// traces: 4 --strict -- handler
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

static sem_t never;
static pthread_t threads[32];

static void *Wait(void *arg) {
  sem_wait(&never);  // @wait
  return arg;
}

static void *Exit(void *arg) {
  (void)arg;
  exit(0);
}

// The program has ended only when its exit handlers have run.
static void Join(void) {
  for (int i = 0; i < 2; ++i) sem_post(&never);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  sem_destroy(&never);
}

int main(int argc, char **argv) {
  const char *how = argc == 2 ? argv[1] : "";
  int count = strcmp(how, "thirty") == 0 ? 32 : 2;
  sem_init(&never, 0, 0);
  for (int i = 0; i < count; ++i) pthread_create(&threads[i], 0, Wait, 0);
  if (strcmp(how, "exit") == 0) RunSame(1, Exit);
  if (strcmp(how, "handler") == 0)
    atexit(Join);
  else
    pthread_detach(threads[0]);
  sched_yield();
}
