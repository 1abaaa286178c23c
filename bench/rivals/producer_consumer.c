// producer_consumer ITEMS: a producer hands ITEMS numbers to a consumer through one slot, with a
// mutex and two condition variables.
// Traces: 2^(2 ITEMS - 1). What is left open is, before each of the 2 ITEMS turns but the first,
// whether the thread whose turn it is comes in time or has to wait.
#include <stdbool.h>

#include "start.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int slot, items;
static bool full;

static void Put(int number) {
  pthread_mutex_lock(&mutex);
  while (full) pthread_cond_wait(&emptied, &mutex);
  slot = number;
  full = true;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&mutex);
}

static int Get(void) {
  pthread_mutex_lock(&mutex);
  while (!full) pthread_cond_wait(&filled, &mutex);
  const int number = slot;
  full = false;
  pthread_cond_signal(&emptied);
  pthread_mutex_unlock(&mutex);
  return number;
}

static void* ProduceOrConsume(void* arg) {
  for (int i = 0; i < items; ++i) {
    if (!arg)
      Put(i);
    else if (Get() != i)
      abort();
  }
  return NULL;
}

int main(int argc, char** argv) {
  (void)argc;
  items = Number(argv[1], "the number of items", 1, 16);
  RunThreads(2, ProduceOrConsume);
  return 0;
}
