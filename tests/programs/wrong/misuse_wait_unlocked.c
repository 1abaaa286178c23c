// A condition wait without the mutex is undefined: reported as misuse.
// heddle: check
// expect: verdict=bug kind=misuse location=@wait
// main only joins the thread: 1 execution.
// traces: 1 enumerated --keep-going
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *Wait(void *arg) {
  (void)arg;
  pthread_cond_wait(&changed, &mutex);  // @wait
  return 0;
}

int main() { RunSame(1, Wait); }
