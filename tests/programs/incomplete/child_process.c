// What a process that the program makes finds in memory, and when it ends, is not explored.
// heddle: check -- memory
// expect: incomplete=child-process
// heddle: check --order depth-first --reduction none -- memory
// expect: incomplete=child-process
// heddle: check -- shared
// expect: incomplete=child-process
// heddle: check -- looks
// expect: incomplete=child-process
// A process that shares nothing, made while there is one thread, and awaited: nothing is lost.
// heddle: check -- alone
// expect: verdict=clean complete=true outcomes=0
#include <heddle.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run_threads.h"

static atomic_int *value;

static void *Store(void *arg) {
  atomic_store(value, 1);
  return arg;
}

static int RunChild(int options) {
  const pid_t child = fork();
  assert(child >= 0);
  if (child == 0) _exit(atomic_load(value));
  int status = 0;
  const pid_t ended = waitpid(child, &status, options);
  if (ended != child) waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

int main(int count, char **arguments) {
  const char *mode = count > 1 ? arguments[1] : "memory";
  static atomic_int own;
  value = &own;
  if (strcmp(mode, "shared") == 0) {
    value = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert(value != MAP_FAILED);
  }
  if (strcmp(mode, "memory") == 0) {
    pthread_t thread;
    pthread_create(&thread, 0, Store, 0);
    heddle_outcome("%d", RunChild(0));
    pthread_join(thread, 0);
    return 0;
  }
  heddle_outcome("%d", RunChild(strcmp(mode, "looks") == 0 ? WNOHANG : 0));
  RunSame(2, Store);
}
