// A thread holds the mutex while another forks: in the child nobody can unlock it. `fork` may come at any time.
// heddle: check
// expect: verdict=bug kind=assertion
// heddle: check --reduction optimal
// expect: verdict=bug kind=assertion
// heddle: check --reduction happens-before
// expect: verdict=bug kind=assertion
// heddle: check --order depth-first --reduction none
// expect: verdict=bug kind=assertion
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *Hold(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, 0, Hold, 0);
  pid_t child = fork();
  if (child == 0) _exit(pthread_mutex_trylock(&mutex));
  int status;
  assert(waitpid(child, &status, 0) == child && status == 0);
  pthread_join(thread, 0);
}
