// Descriptors made, used and closed by syscall() are those of the C library's functions, as are their waits; a system call that only
// asks does not keep the search from being complete.
// main waits for T1's count: by read it is there or main waits, 1 graph; with epoll it comes before, after or after the look of epoll_ctl and
// the wait that follows: 3.
// heddle: check
// expect: verdict=clean complete=true
// graphs: 1
// heddle: check -- epoll
// expect: verdict=clean complete=true
// graphs: 3 -- epoll
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

static int event;

static void *Send(void *arg) {
  uint64_t one = 1;
  assert(syscall(SYS_write, event, &one, sizeof one) == sizeof one);
  return arg;
}

int main(int argc, char **argv) {
  event = (int)syscall(SYS_eventfd2, 0, 0);
  int copy = (int)syscall(SYS_dup, event);
  assert(event >= 0 && copy > event);
  assert(syscall(SYS_getuid) == getuid());
  pthread_t thread;
  pthread_create(&thread, 0, Send, 0);
  if (argc > 1 && argv[1][0] == 'e') {
    int set = (int)syscall(SYS_epoll_create1, 0);
    struct epoll_event wanted = {.events = EPOLLIN};
    assert(epoll_ctl(set, EPOLL_CTL_ADD, event, &wanted) == 0);
    assert(syscall(SYS_epoll_wait, set, &wanted, 1, -1) == 1);
  }
  uint64_t count;
  assert(syscall(SYS_read, copy, &count, sizeof count) == sizeof count && count == 1);
  pthread_join(thread, 0);
  assert(syscall(SYS_close, event) == 0 && syscall(SYS_close, event) == -1);
}
