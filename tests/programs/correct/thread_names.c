// A thread's name is its own, starts as its creator's, and comes back, by either interface.
// compilers: gcc clang
// heddle: check
// expect: verdict=clean complete=true
// main only joins the thread: 1 execution.
// traces: 1 enumerated
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>

static void *Rename(void *argument) {
  char name[16];
  assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && !strcmp(name, "creator"));
  assert(pthread_setname_np(pthread_self(), "worker") == 0);
  assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && !strcmp(name, "worker"));
  assert(prctl(PR_SET_NAME, "longer than the kernel takes") == 0);
  assert(prctl(PR_GET_NAME, name) == 0 && !strcmp(name, "longer than the"));
  return argument;
}

int main() {
  char name[16];
  assert(pthread_setname_np(pthread_self(), "longer than glibc takes") == ERANGE);
  assert(pthread_setname_np(pthread_self(), "creator") == 0);
  pthread_t thread;
  pthread_create(&thread, 0, Rename, 0);
  pthread_join(thread, 0);
  assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && !strcmp(name, "creator"));
  assert(pthread_getname_np(pthread_self(), name, 8) == ERANGE);
}
