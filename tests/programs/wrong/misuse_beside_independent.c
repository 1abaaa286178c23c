// A thread that ends the program by a misuse, beside one that does nothing to do with it (stores, or a choice): the misuse is
// the access that its operation would have been anywhere, so its race is reversed like any other, and no trace is run twice.
// T1 destroys m. main destroys it, too, and then unlocks it. Whoever destroys second, or unlocks what was destroyed, ends the
// program, once nobody else can go on; main does not come to its unlock if it came second.
//   T1, main: main is second, and ends it: 1 trace.
//   main, T1, unlock, or main, unlock, T1: T1 is second, main's unlock a misuse, either of them ends it: 2 + 2 traces.
// 5 in all, whatever the number of stores. The choice of two values doubles them: 10.
// traces: 5 --keep-going -- 1
// traces: 5 --keep-going -- 4
// traces: 10 --keep-going
// heddle: check --keep-going
// expect: verdict=bug complete=true bugs=3 kind=misuse message~"T1 destroys mutex m, which was destroyed by main" kind=misuse message~"main destroys mutex m, which was destroyed by T1" kind=misuse message~"main unlocks mutex m, which was destroyed by main"
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;
static int stores;
static void* Destroy(void* unused) {
  pthread_mutex_destroy(&m);
  return unused;
}
static void* BeIndependent(void* unused) {
  if (stores == 0) heddle_choose(2);
  for (int i = 0; i < stores; ++i) x = i + 1;
  return unused;
}
int main(int argc, char** argv) {
  pthread_t a, b;
  stores = argc > 1 ? atoi(argv[1]) : 0;
  pthread_create(&a, 0, Destroy, 0);
  pthread_create(&b, 0, BeIndependent, 0);
  pthread_mutex_destroy(&m);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
