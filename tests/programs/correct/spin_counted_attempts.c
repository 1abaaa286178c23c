// Loops that count their attempts on what is no memory. An attempt of the last round answers what it would in the first: it
// has no time limit.
// heddle: check
// expect: verdict=clean complete=true executions=5
// heddle: check --reduction none
// expect: verdict=clean complete=true executions=130
// traces: 5 enumerated
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs;

static void Run(void) { ++runs; }

static void *TryOften(void *arg) {
  for (int i = 0; i < 10; ++i) {
    const int status = pthread_mutex_trylock(&mutex);
    assert(status == 0 || status == EBUSY);
    if (status == 0) {
      pthread_mutex_unlock(&mutex);
      break;
    }
  }
  for (int i = 0; i < 10; ++i) pthread_once(&once, Run);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, NULL, TryOften, NULL);
  pthread_once(&once, Run);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  assert(runs == 1);
  return 0;
}
