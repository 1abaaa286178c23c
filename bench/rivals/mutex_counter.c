// mutex_counter THREADS: each thread locks a mutex, counts, unlocks it.
// Traces: THREADS!, the orders in which they get the mutex.
#include "start.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void* Count(void* arg) {
  pthread_mutex_lock(&mutex);
  ++counter;
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(int argc, char** argv) {
  (void)argc;
  const int threads = Number(argv[1], "the number of threads", 1, kMostThreads);
  RunThreads(threads, Count);
  return counter != threads;
}
