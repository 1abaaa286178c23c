// A signal that finds a timed waiter in the queue stays with it; one that comes after the time
// limit does not. So with one signal and one token, the token is never lost: whoever times out
// sees that it was not signalled.
// heddle: check
// expect: verdict=clean complete=true outcomes=signalled=0,signalled=1
// Graphs: the signaller's section comes first. Or the wait does, and it times out and is over before the section; or it
// times out during the section, before the signal; or it is signalled. 4.
// traces: 4 enumerated
#include <errno.h>
#include <heddle.h>
#include <time.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting, sent, signalled;

static void *Wait(void *arg) {
  (void)arg;
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 1;
  pthread_mutex_lock(&mutex);
  waiting = 1;
  int answer = pthread_cond_timedwait(&changed, &mutex, &limit);
  waiting = 0;
  signalled = answer == 0;
  if (answer == 0) assert(sent == 1);
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *Signal(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  if (waiting) {
    sent = 1;
    pthread_cond_signal(&changed);
  }
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main() {
  RunThreads(2, (Body[]){Wait, Signal});
  if (signalled) assert(sent);
  heddle_outcome("signalled=%d", signalled);
}
