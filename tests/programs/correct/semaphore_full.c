// A semaphore with room for one more permit: one of three posts succeeds, and who comes later fails. The one that succeeds
// does not commute with the others, as posts do elsewhere; two that fail do. So who comes first is all that matters: T1's
// first post or T2's. 2 traces, and 3 orders of the posts.
// heddle: check
// expect: verdict=clean complete=true executions=2 outcomes=0_-1_-1,-1_-1_0
// heddle: check --reduction source
// expect: verdict=clean complete=true executions=2 outcomes=0_-1_-1,-1_-1_0
// heddle: check --reduction none
// expect: verdict=clean complete=true executions=3 outcomes=0_-1_-1,-1_-1_0
// traces: 2 enumerated
#include <assert.h>
#include <heddle.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static int first, second, other;

static void *PostTwice(void *arg) {
  first = sem_post(&semaphore);
  second = sem_post(&semaphore);
  return arg;
}

static void *PostOnce(void *arg) {
  other = sem_post(&semaphore);
  return arg;
}

int main(void) {
  pthread_t threads[2];
  sem_init(&semaphore, 0, SEM_VALUE_MAX - 1);
  pthread_create(&threads[0], NULL, PostTwice, NULL);
  pthread_create(&threads[1], NULL, PostOnce, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert((first == 0) + (second == 0) + (other == 0) == 1);
  heddle_outcome("%d_%d_%d", first, second, other);
  return 0;
}
