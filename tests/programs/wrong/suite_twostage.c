// "twostage": two values that belong together are written under two locks; a reader comes in
// between.
// heddle: check
// expect: verdict=bug kind=assertion preemptions=1
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
