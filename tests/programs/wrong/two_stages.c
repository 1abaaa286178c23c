// "twostage": two values that belong together are written under two locks; a reader comes in
// between.
// heddle: check
// expect: verdict=bug kind=assertion preemptions=1
// Executions: the reader's first section comes before the writer's, 1; or after it, and then the second ones come in
// two orders. 3. Where the assertion fails, the writer may stand before its last section, in it, or behind it: 5
// graphs.
// traces: 3 --keep-going
// graphs: 5 --keep-going
#include "run_threads.h"

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;
static int first_value, second_value;

static void *Write(void *arg) {
  (void)arg;
  pthread_mutex_lock(&first_lock);
  first_value = 1;
  pthread_mutex_unlock(&first_lock);
  pthread_mutex_lock(&second_lock);
  second_value = first_value + 1;
  pthread_mutex_unlock(&second_lock);
  return 0;
}

static void *Read(void *arg) {
  (void)arg;
  pthread_mutex_lock(&first_lock);
  int first = first_value;
  pthread_mutex_unlock(&first_lock);
  if (first == 0) return 0;
  pthread_mutex_lock(&second_lock);
  int second = second_value;
  pthread_mutex_unlock(&second_lock);
  assert(second == first + 1);
  return 0;
}

int main() { RunThreads(2, (Body[]){Write, Read}); }
