// fork: the child is an ordinary process, and its parent goes on under control.
// heddle: check
// expect: verdict=clean complete=true executions>=6 rewind=fork-checkpoint
// Graphs: two updates in each thread of the parent, C(4,2) = 6.
// traces: 6
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run_threads.h"

static atomic_int x;

static void *Add(void *arg) {
  (void)arg;
  x++;
  x++;
  return 0;
}

int main() {
  int ends[2], status;
  assert(pipe(ends) == 0);
  pid_t child = fork();
  assert(child >= 0);
  if (child == 0) {
    RunSame(2, Add);  // real threads
    char c = 'c';
    if (write(ends[1], &c, 1) != 1) abort();
    exit(x == 4 ? 7 : 1);
  }
  RunSame(2, Add);
  char c;
  assert(read(ends[0], &c, 1) == 1 && c == 'c');
  assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
  assert(system("exit 3") >> 8 == 3);
}
