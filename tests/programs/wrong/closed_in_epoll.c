// A thread that waits in epoll_wait goes on to wait if another closes the number of the set.
// heddle: check
// expect: verdict=bug kind=deadlock location=@epoll_wait
#include <sys/epoll.h>
#include <unistd.h>

#include "run_threads.h"

static int ends[2], set;

static void *Wait(void *arg) {
  struct epoll_event event;
  epoll_wait(set, &event, 1, -1);  // @epoll_wait
  return arg;
}

int main(void) {
  struct epoll_event event = {.events = EPOLLIN};
  assert(pipe(ends) == 0);
  set = epoll_create1(0);
  assert(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event) == 0);
  pthread_t thread;
  pthread_create(&thread, 0, Wait, 0);
  close(set);
  pthread_join(thread, 0);
}
