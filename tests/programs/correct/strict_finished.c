// Programs that leave no thread behind, or are not asked: nothing for --strict to find, in the same number of schedules.
// heddle: check --strict
// expect: verdict=clean complete=true
// heddle: check --strict --order depth-first --reduction sleep-sets
// expect: verdict=clean complete=true executions=2
// heddle: check --strict --order depth-first --reduction dpor
// expect: verdict=clean complete=true executions=2
// heddle: check --strict --order depth-first --reduction source
// expect: verdict=clean complete=true executions=2
// heddle: check --strict --reduction bounded --bound preemptions=2
// expect: verdict=clean guarantee~"at most 2 preemptions"
// heddle: check --strict --order context-bounded --reduction happens-before-all
// expect: verdict=clean complete=true happens_before=2
// heddle: check --strict -- exit
// expect: verdict=clean complete=true
// heddle: check --strict -- quick
// expect: verdict=clean complete=true
// heddle: check --strict -- at-once
// expect: verdict=clean complete=true
// Graphs: two orders of the critical sections, also where the threads end by themselves or a third one ends the program, 2.
// The post comes before what waits for it, and is the last operation of the detached thread, 1.
// traces: 2 enumerated --strict
// traces: 1 --strict -- detached
// traces: 2 enumerated --strict -- main-leaves
// traces: 2 --strict -- exit
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t threads[2], main_thread;
static sem_t posted;

static void* Work(void* arg) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void* Post(void* arg) {
  sem_post(&posted);
  return arg;
}

// Joins all others, and ends the program.
static void* Exit(void* arg) {
  (void)arg;
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  pthread_join(main_thread, 0);
  exit(0);
}

int main(int argc, char** argv) {
  const char* how = argc == 2 ? argv[1] : "";
  pthread_t third;
  main_thread = pthread_self();
  if (strcmp(how, "detached") == 0) {
    pthread_create(&third, 0, Post, 0);
    pthread_detach(third);
    sem_wait(&posted);
    return 0;
  }
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, Work, 0);
  if (strcmp(how, "quick") == 0) quick_exit(0);
  if (strcmp(how, "at-once") == 0) _exit(0);
  if (strcmp(how, "main-leaves") == 0) pthread_exit(0);
  if (strcmp(how, "exit") == 0) {
    pthread_create(&third, 0, Exit, 0);
    pthread_exit(0);
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}
