// The program ends by a misuse while T1 has been signalled, but waits for the mutex that main holds. It could have had the
// mutex first: then it makes the condition variable anew, and main's second broadcast is none. Where that broadcast comes before, the
// misuse may end the program before T1 makes it anew: the eighth graph, which no reduction has to tell from the one where it is made.
// heddle: check --keep-going
// expect: verdict=bug complete=true bugs=3 kinds=misuse outcomes=ok happens_before=7
// heddle: check --keep-going --reduction none
// expect: verdict=bug complete=true bugs=3 kinds=misuse outcomes=ok happens_before=8
// heddle: check --keep-going --reduction source
// expect: verdict=bug complete=true bugs=3 kinds=misuse outcomes=ok happens_before=7
// Traces. T1 waits before the first broadcast, and is woken: main has the mutex first and broadcasts where nothing is,
// 1; or T1 has, and makes the variable anew before main destroys it, after that, or not before the second broadcast, 3.
// It waits after it: then main destroys what T1 waits for, 1; or T1 waits for what was destroyed, 1; or main gets the
// mutex and broadcasts there, 1. 7 in all. Graphs: 8, as above.
// traces: 7 --keep-going
// graphs: 8 --keep-going
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *Wait(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_cond_init(&condition, 0);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, Wait, 0);
  pthread_cond_broadcast(&condition);
  pthread_cond_destroy(&condition);
  pthread_mutex_lock(&mutex);
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  heddle_outcome("ok");
  return 0;
}
