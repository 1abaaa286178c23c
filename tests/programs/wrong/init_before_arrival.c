// A semaphore is made anew, or destroyed and made anew, when a thread may be waiting for it already: a misuse. Or the thread
// comes only then, and gets it. Nothing orders the two, so both are explored; the waiter stands before its operation as
// soon as it is created, whether it has called it or not.
// heddle: check --keep-going -- init
// expect: verdict=bug complete=true executions=2 bugs=1 kind=misuse message~"initialises semaphore" outcomes=came-later
// heddle: check --keep-going --reduction none -- init
// expect: verdict=bug complete=true executions=2 bugs=1 kind=misuse outcomes=came-later
// heddle: check --keep-going -- destroy
// expect: verdict=bug complete=true bugs=2 kinds=misuse kind=misuse message~"destroys semaphore" outcomes=came-later
// heddle: check --keep-going -- mutex
// expect: verdict=bug complete=true kind=misuse message~"initialises mutex" outcomes=came-later,before
// traces: 2 enumerated --keep-going -- init
// Destroyed: the thread waits already, and the destruction is the misuse, without effect; or the thread waits for what was
// destroyed, and it is made anew beside that misuse; or it comes after that: 3 traces. Graphs: in the second, the misuse
// ends the program before the semaphore is made anew, or after: 4. The mutex: the one that waits comes first; or it waits
// when it is initialised, which is the misuse; or it comes then: 3. Nobody can go on beside that misuse.
// traces: 3 --keep-going -- destroy
// graphs: 4 --keep-going -- destroy
// traces: 3 enumerated --keep-going -- mutex
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
