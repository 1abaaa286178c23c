// Two of three threads wait for each other for good, and main does not wait for any of them. (Inspect, section 4.6: a
// cycle in the resource graph is a deadlock, whatever the others do.)
// heddle: check --keep-going
// expect: verdict=bug complete=true kind=deadlock message~"lock cycle"
// heddle: check --preset inspect
// expect: verdict=bug kind=deadlock message~"lock cycle"
// heddle: check --order context-bounded
// expect: verdict=bug kind=deadlock message~"lock cycle"
// Graphs: either thread takes both locks first, or each takes one: 3. The third thread and the end of main commute with
// that.
// traces: 3 --keep-going
#include <stdatomic.h>

#include "run_threads.h"

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static atomic_int rounds;

static void *TakeBoth(void *arg) {
  pthread_mutex_t *one = arg == 0 ? &first : &second;
  pthread_mutex_t *other = arg == 0 ? &second : &first;
  pthread_mutex_lock(one);
  pthread_mutex_lock(other);
  pthread_mutex_unlock(other);
  pthread_mutex_unlock(one);
  return 0;
}

static void *Count(void *arg) {
  rounds++;
  return arg;
}

int main() {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, TakeBoth, (void *)0);
  pthread_create(&threads[1], 0, TakeBoth, (void *)1);
  pthread_create(&threads[2], 0, Count, 0);
  return 0;
}
