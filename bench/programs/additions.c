// Threads that add to two atomics in turn: bench/jobs_bench.py. What each finds depends on all
// orders, so no reduction saves much, and a search of it lasts as long as it is wanted to.
//
// Usage: additions THREADS ROUNDS
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { kMost = 8 };
static atomic_int x, y;
static int rounds;

static void* Work(void* argument) {
  for (int i = 0; i < rounds; ++i) atomic_fetch_add(i % 2 ? &x : &y, 1);
  return argument;
}

int main(int argc, char** argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 3;
  rounds = argc > 2 ? atoi(argv[2]) : 8;
  if (threads > kMost) threads = kMost;
  pthread_t thread[kMost];
  for (int i = 0; i < threads; ++i) pthread_create(&thread[i], 0, Work, 0);
  for (int i = 0; i < threads; ++i) pthread_join(thread[i], 0);
}
