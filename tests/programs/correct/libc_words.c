// A process that the C library makes by itself. One lock in each of two threads, C(2,1) = 2.
// heddle: check --reduction none
// expect: verdict=clean complete=true executions=2
#include <assert.h>
#include <string.h>
#include <wordexp.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *Lock(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main() {
  wordexp_t words;
  assert(wordexp("$(echo a b)", &words, 0) == 0);
  assert(words.we_wordc == 2 && strcmp(words.we_wordv[1], "b") == 0);
  wordfree(&words);
  RunSame(2, Lock);
}
