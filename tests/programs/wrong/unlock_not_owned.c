// Unlocking a mutex that another thread holds is undefined: reported as misuse.
// heddle: check
// expect: verdict=bug kind=misuse location=@unlock
// Nobody else can do anything: 1.
// traces: 1 enumerated --keep-going
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *Unlock(void *arg) {
  (void)arg;
  pthread_mutex_unlock(&mutex);  // @unlock
  return 0;
}

int main() {
  pthread_mutex_lock(&mutex);
  RunSame(1, Unlock);
}
