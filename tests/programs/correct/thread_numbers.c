// The kernel knows one thread only. What is asked of it by the number of another one is asked of that one; how it is to schedule a
// thread has no effect.
// heddle: check
// expect: verdict=clean complete=true executions=1
// Graphs: the thread ends, and is joined, 1.
// graphs: 1
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static char attributes[64];

static void *Ask(void *arg) {
  pid_t self = (pid_t)syscall(SYS_gettid);
  assert(self == gettid() && self != getpid());
  assert(syscall(SYS_sched_getattr, self, attributes, sizeof attributes, 0) == 0);
  assert(syscall(SYS_sched_setattr, self, attributes, 0) == 0);
  struct sched_param parameters;
  assert(sched_getscheduler(self) == SCHED_OTHER && sched_getparam(self, &parameters) == 0);
  assert(sched_setscheduler(self, SCHED_OTHER, &parameters) == 0 && sched_setparam(self, &parameters) == 0);
  cpu_set_t set;
  assert(sched_getaffinity(self, sizeof set, &set) == 0 && sched_setaffinity(self, sizeof set, &set) == 0);
  int before = getpriority(PRIO_PROCESS, (id_t)self);
  assert(setpriority(PRIO_PROCESS, (id_t)self, 19) == 0 && nice(1) == (before < 19 ? before + 1 : 19));
  assert(getpriority(PRIO_PROCESS, 0) == before);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, Ask, 0);
  pthread_join(thread, 0);
}
