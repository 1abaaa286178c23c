// A semaphore is made anew, or destroyed and made anew, when a thread may be waiting for it already: a misuse. Or the thread
// comes only then, and gets it. Nothing orders the two, so both are explored: that it comes to wait is an operation here.
// heddle: check --keep-going -- init
// expect: verdict=bug complete=true executions=2 bugs=1 kind=misuse message~"initialises semaphore" outcomes=came-later
// heddle: check --keep-going --reduction none -- init
// expect: verdict=bug complete=true executions=2 bugs=1 kind=misuse outcomes=came-later
// heddle: check --keep-going -- destroy
// expect: verdict=bug complete=true bugs=2 kinds=misuse kind=misuse message~"destroys semaphore" outcomes=came-later
// heddle: check --keep-going -- mutex
// expect: verdict=bug complete=true kind=misuse message~"initialises mutex" outcomes=came-later,before
// traces: 2 enumerated --keep-going -- init
// The semaphore is destroyed while T2 waits; or T2 comes between the destruction and the initialisation, and goes on there, which is a misuse,
// or after both; or it comes after both: 4. Graphs: after the misuse T1 may have made it anew, or not: 5. The mutex: T2 has
// come and gone first; or it waits when the mutex is initialised, and came before T1 locked it or after; or it comes then: 4.
// traces: 4 --keep-going -- destroy
// graphs: 5 --keep-going -- destroy
// traces: 4 enumerated --keep-going -- mutex
#include <heddle.h>
#include <semaphore.h>
#include <string.h>

#include "run_threads.h"

static const char *kind;
static sem_t semaphore;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int made_anew;

static void *Make(void *arg) {
  if (strcmp(kind, "mutex") == 0) {
    pthread_mutex_lock(&mutex);
    made_anew = 1;
    pthread_mutex_init(&mutex, 0);
    return arg;
  }
  if (strcmp(kind, "destroy") == 0) sem_destroy(&semaphore);
  sem_init(&semaphore, 0, 1);
  return arg;
}

static void *Wait(void *arg) {
  if (strcmp(kind, "mutex") == 0) {
    pthread_mutex_lock(&mutex);
    heddle_outcome(made_anew ? "came-later" : "before");
    pthread_mutex_unlock(&mutex);
    return arg;
  }
  sem_wait(&semaphore);
  heddle_outcome("came-later");
  return arg;
}

int main(int argc, char **argv) {
  kind = argc > 1 ? argv[1] : "init";
  sem_init(&semaphore, 0, 0);
  RunThreads(2, (Body[]){Make, Wait});
}
