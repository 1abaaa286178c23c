// Counts the primes up to 3 with two workers. The classic mistake: asking whether there is work and taking it are
// two steps.
#include <pthread.h>
#include <stdio.h>

#include "work_list.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int primes;

static int IsPrime(int n) {
  for (int d = 2; d * d <= n; d++)
    if (n % d == 0) return 0;
  return n >= 2;
}

static void *Work(void *arg) {
  struct WorkList *list = arg;
  while (!IsEmpty(list)) {
    if (!IsPrime(Take(list))) continue;
    pthread_mutex_lock(&mutex);
    primes++;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  struct WorkList *list = NewWorkList(2, 3);
  pthread_t workers[2];
  for (int i = 0; i < 2; i++) pthread_create(&workers[i], NULL, Work, list);
  for (int i = 0; i < 2; i++) pthread_join(workers[i], NULL);
  FreeWorkList(list);
  printf("%d primes\n", primes);
  return primes == 2 ? 0 : 1;
}
