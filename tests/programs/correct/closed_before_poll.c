// A number that was closed before poll asks for it, by whatever order, is only not open; one that is closed where data is there already is
// no wait that goes on.
// heddle: check
// expect: verdict=clean complete=true
#include <poll.h>
#include <unistd.h>

#include "run_threads.h"

static int ends[2], others[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int closed;

static void *Wait(void *arg) {
  pthread_mutex_lock(&mutex);
  const int is_closed = closed;
  pthread_mutex_unlock(&mutex);
  struct pollfd one = {ends[0], POLLIN, 0}, other = {others[0], POLLIN, 0};
  if (is_closed) assert(poll(&one, 1, -1) == 1 && one.revents == POLLNVAL);
  assert(poll(&other, 1, -1) == 1);
  return arg;
}

int main(void) {
  assert(pipe(ends) == 0 && pipe(others) == 0 && write(others[1], "x", 1) == 1);
  pthread_t thread;
  pthread_create(&thread, 0, Wait, 0);
  pthread_mutex_lock(&mutex);
  close(ends[0]);
  closed = 1;
  pthread_mutex_unlock(&mutex);
  close(others[0]);
  pthread_join(thread, 0);
}
