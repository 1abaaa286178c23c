// The program forks, so every execution is made in a process of its own, where main spins. The bug replays there, too.
// heddle: check
// expect: verdict=bug kind=assertion location=@here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int x, y;

static void *Store(void *arg) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, 0, 0);
  atomic_store(&y, 1);
  atomic_store(&x, 1);
  atomic_store(&y, 2);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, Store, 0);
  while (!atomic_load(&x)) {
  }
  assert(atomic_load(&y) == 2);  // @here
  pthread_join(thread, 0);
  return 0;
}
