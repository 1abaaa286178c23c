// With --strict, how far other threads have come when the program ends decides whether there is a bug. So the order of the
// end of the program and of the last operation of each thread is part of a schedule, for every search.
// heddle: check --strict --order depth-first --reduction none
// expect: verdict=bug kind=misuse message~"main ended the program while T1"
// heddle: check --strict --order depth-first --reduction sleep-sets
// expect: verdict=bug kind=misuse message~"main ended the program while T1"
// heddle: check --strict --order depth-first --reduction dpor
// expect: verdict=bug kind=misuse message~"main ended the program while T1"
// heddle: check --strict --order depth-first --reduction source
// expect: verdict=bug kind=misuse message~"main ended the program while T1"
// heddle: check --strict --order depth-first --reduction optimal
// expect: verdict=bug kind=misuse message~"main ended the program while T1"
// heddle: check --strict --reduction bounded --bound preemptions=1
// expect: verdict=bug kind=misuse message~"main ended the program while T1"
// heddle: check --strict --order context-bounded --reduction happens-before
// expect: verdict=bug kind=misuse message~"main ended the program while T1"
// heddle: check --strict --preset inspect
// expect: verdict=bug kind=misuse message~"main ended the program while T1"
// heddle: check --strict --preset gambit
// expect: verdict=bug kind=misuse message~"main ended the program while T1"
// heddle: check --strict --visited states
// expect: verdict=bug kind=misuse message~"main ended the program while T1"
// A thread without an operation may not have begun.
// heddle: check --strict --order depth-first --reduction optimal -- empty
// expect: verdict=bug kind=misuse message~"T1 had not begun"
// heddle: check --strict --order depth-first --reduction sleep-sets -- empty
// expect: verdict=bug kind=misuse message~"T1 had not begun"
// One that waits for another thread's end has not finished; nothing but the post orders the end of the program.
// heddle: check --strict --order depth-first --reduction optimal -- joins
// expect: verdict=bug kind=misuse message~"T2"
// heddle: check --strict --order depth-first --reduction source -- joins
// expect: verdict=bug kind=misuse message~"T2"
// heddle: check --strict --order depth-first --reduction dpor -- joins
// expect: verdict=bug kind=misuse message~"T2"
// heddle: check --strict --order depth-first --reduction sleep-sets -- joins
// expect: verdict=bug kind=misuse message~"T2"
// heddle: check --strict --order depth-first --reduction optimal --keep-going -- exits
// expect: verdict=bug kind=misuse message~"ended the program while"
// heddle: check --strict --order depth-first --reduction optimal --keep-going -- main-leaves
// expect: verdict=bug kind=misuse message~"T1 ended the program while T2"
// The mutex is destroyed by the thread: where that has finished nothing is left.
// heddle: check --strict --order depth-first --reduction optimal --keep-going -- detached
// expect: verdict=bug bugs=1 kind=misuse message~"while T1"
// All have nothing left to do, but a detached one its end.
// heddle: check --strict --order depth-first --reduction optimal -- object
// expect: verdict=bug kind=misuse message~"not destroyed when the program ends"
// An end within an atomic section is no step of its own, so with a reduction the search is not complete.
// heddle: check --strict --order depth-first --reduction optimal --keep-going -- section
// expect: verdict=bug kind=misuse complete=false incomplete=ended-section
// heddle: check --strict --order depth-first --reduction none --keep-going -- section
// expect: verdict=bug kind=misuse complete=true
// Graphs: the thread finishes before the end of the program or is left there, 2. Of two threads, in
// either order at the mutex: the program ends before the first has finished, before the second has, or after both, 6. Who
// joins another one, for whose post main waits, finishes or is left, 2.
// traces: 2 --strict --keep-going
// traces: 2 --strict --keep-going -- empty
// traces: 6 --strict --keep-going -- two
// traces: 2 --strict --keep-going -- joins
#include <heddle.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, made;
static pthread_t first;
static sem_t posted;

static void* Work(void* arg) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void* Nothing(void* arg) { return arg; }

static void* Post(void* arg) {
  sem_post(&posted);
  return arg;
}

static void* Join(void* arg) {
  pthread_join(first, 0);
  return arg;
}

static void* Exit(void* arg) {
  (void)arg;
  exit(0);
}

static void* Destroy(void* arg) {
  pthread_mutex_destroy(&made);
  return arg;
}

int main(int argc, char** argv) {
  const char* how = argc == 2 ? argv[1] : "";
  pthread_t second;
  if (strcmp(how, "empty") == 0) {
    pthread_create(&first, 0, Nothing, 0);
  } else if (strcmp(how, "two") == 0) {
    pthread_create(&first, 0, Work, 0);
    pthread_create(&second, 0, Work, 0);
  } else if (strcmp(how, "joins") == 0) {
    pthread_create(&first, 0, Post, 0);
    pthread_create(&second, 0, Join, 0);
    sem_wait(&posted);
  } else if (strcmp(how, "exits") == 0) {
    pthread_create(&first, 0, Exit, 0);
    Work(0);
  } else if (strcmp(how, "main-leaves") == 0) {
    pthread_create(&first, 0, Exit, 0);
    pthread_create(&second, 0, Work, 0);
    pthread_exit(0);
  } else if (strcmp(how, "detached") == 0) {
    pthread_mutex_init(&made, 0);
    pthread_create(&first, 0, Destroy, 0);
    pthread_detach(first);
  } else if (strcmp(how, "object") == 0) {
    pthread_mutex_init(&made, 0);
    pthread_create(&first, 0, Post, 0);
    pthread_detach(first);
    sem_wait(&posted);
  } else {
    pthread_create(&first, 0, Work, 0);
    if (strcmp(how, "section") == 0) {
      heddle_atomic_begin();
      exit(0);
    }
  }
  return 0;
}
