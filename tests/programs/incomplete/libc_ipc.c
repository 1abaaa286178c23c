// System V IPC outlives the process, and is no step.
// heddle: check
// expect: incomplete=unseen-syscall,unseen-syscall stdout~semget
#include <assert.h>
#include <sys/ipc.h>
#include <sys/sem.h>

#include "run_threads.h"

static void *End(void *arg) { return arg; }

int main() {
  int set = semget(IPC_PRIVATE, 1, 0600);
  assert(set >= 0);
  assert(semctl(set, 0, IPC_RMID) == 0);
  RunSame(2, End);
}
