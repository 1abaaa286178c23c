// Four threads, a mutex and a counter. The argument says how often each thread counts: once if there is none.
#include <pthread.h>
#include <stdlib.h>

enum { kThreads = 4 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static int rounds = 1;

static void* Count(void* unused) {
  for (int i = 0; i < rounds; ++i) {
    pthread_mutex_lock(&mutex);
    ++counter;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(int argc, char** argv) {
  if (argc > 1) rounds = atoi(argv[1]);
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, Count, NULL);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  return counter != kThreads * rounds;
}
