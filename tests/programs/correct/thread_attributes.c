// Attributes: a stack size that is really there, a detached start, self and equal.
// heddle: check
// expect: verdict=clean complete=true
// Graphs: main's first wait, for the first thread's post, before or after the second one's, 2.
// traces: 2
#define _GNU_SOURCE
#include <limits.h>
#include <semaphore.h>
#include <string.h>

#include "run_threads.h"

enum { kStack = 4 << 20 };

static sem_t done;

static void *UseStack(void *arg) {
  char big[kStack / 2];
  memset(big, 1, sizeof big);
  pthread_attr_t mine;
  size_t size;
  assert(pthread_getattr_np(pthread_self(), &mine) == 0);
  assert(pthread_attr_getstacksize(&mine, &size) == 0 && size >= kStack);
  pthread_attr_destroy(&mine);
  sem_post(&done);
  return (void *)(long)(big[0] + big[sizeof big - 1] + (arg != 0));
}

int main() {
  sem_init(&done, 0, 0);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  assert(pthread_attr_setstacksize(&attributes, kStack) == 0);
  pthread_t first, second;
  void *result;
  assert(pthread_create(&first, &attributes, UseStack, 0) == 0);
  assert(pthread_join(first, &result) == 0 && result == (void *)2);
  assert(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0);
  assert(pthread_create(&second, &attributes, UseStack, 0) == 0);
  sem_wait(&done);
  sem_wait(&done);
  assert(pthread_equal(pthread_self(), pthread_self()) && !pthread_equal(pthread_self(), second));
}
