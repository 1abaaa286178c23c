// Threads are interrupted at heddle_hook only, and nobody calls it.
// heddle: check --points hooks --reduction none
// expect: incomplete=no-hooks
#include "run_threads.h"

static void* Run(void* arg) { return arg; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, Run, 0);
  pthread_join(thread, 0);
}
