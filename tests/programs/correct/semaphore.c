// A POSIX semaphore lets in as many as it has permits, and what came before a post is visible
// after the wait.
// compilers: gcc clang
// heddle: check
// expect: verdict=clean complete=true
// Graphs. Either thread takes the first permit. The other one comes when that was given back, 1, or before, and then
// the updates of the count come in C(4,2) = 6 orders. main's first wait for `done` comes after the post of either
// thread alone, or of both: 3. 2 * (1 + 6) * 3 = 42.
// traces: 42
#include <errno.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "run_threads.h"

static sem_t permits, done;
static atomic_int inside;
static int total[3];

static void *Enter(void *arg) {
  long me = (long)arg;
  assert(sem_wait(&permits) == 0);
  int now = ++inside;
  assert(now <= 2);
  inside--;
  total[me] = 1;
  assert(sem_post(&permits) == 0);
  sem_post(&done);
  return 0;
}

int main() {
  sem_init(&permits, 0, 2);
  sem_init(&done, 0, 0);
  pthread_t first, second;
  pthread_create(&first, 0, Enter, (void *)0);
  pthread_create(&second, 0, Enter, (void *)1);
  sem_wait(&done);
  sem_wait(&done);
  assert(total[0] && total[1]);
  pthread_join(first, 0);
  pthread_join(second, 0);

  int value;
  assert(sem_getvalue(&permits, &value) == 0 && value == 2);
  assert(sem_trywait(&done) == -1 && errno == EAGAIN);
  struct timespec past = {1, 0};
  assert(sem_timedwait(&done, &past) == -1 && errno == ETIMEDOUT);
  assert(sem_destroy(&permits) == 0);
}
