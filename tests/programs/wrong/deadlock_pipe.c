// Two threads wait for each other's message.
// heddle: check
// expect: verdict=bug kind=deadlock preemptions=0
// Graphs: nobody ever does anything, 1.
// traces: 1 enumerated --keep-going
#include <unistd.h>

#include "run_threads.h"

static int there[2], back[2];

static void *Answer(void *arg) {
  char c = 'b';
  (void)arg;
  assert(read(there[0], &c, 1) == 1);
  assert(write(back[1], &c, 1) == 1);
  return 0;
}

int main() {
  char c = 'a';
  assert(pipe(there) == 0 && pipe(back) == 0);
  pthread_t thread;
  pthread_create(&thread, 0, Answer, 0);
  assert(read(back[0], &c, 1) == 1);
  assert(write(there[1], &c, 1) == 1);
  pthread_join(thread, 0);
}
