// An update by an instruction without a lock prefix is a read and a write at one place in the code. Between the two the thread
// has changed nothing, but it has not been round its loop either. (A livelock before.) Nobody else touches `c`.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check --points all
// expect: verdict=clean complete=true executions=1
// traces: 1 enumerated --points all
#include <pthread.h>
#include <stdlib.h>

static int c, done;

static void *Update(void *arg) {
  for (int i = 0; i < 8; i++) __asm__ volatile("negl %0" : "+m"(c));
  for (int i = 0; i < 8; i++) __asm__ volatile("incl %0" : "+m"(c));
  done = 1;
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, Update, 0);
  pthread_join(thread, 0);
  return done && c == 8 ? 0 : 1;
}
