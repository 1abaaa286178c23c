// A mutex is initialised beside its use: all zero, it is usable on glibc before. If T1 holds it just then, main gets it,
// too: both are in the critical section, and T1's unlock is of a mutex that it does not hold.
// 11 traces. The init first: two orders of the sections; after T1's section: one. Between T1's lock and unlock, which is then the
// misuse: T1's addition first, and that unlock before, in and after main's section (3); main's first, and it comes after main's lock (2); both
// inside, and the one that came second fails: main, beside the misuse (2 ends), or T1 (1).
// traces: 11 --keep-going
// heddle: check --keep-going
// expect: verdict=bug complete=true kinds=misuse,assertion kind=misuse message~"which was initialised at"
// heddle: check --order depth-first --reduction none --keep-going
// expect: verdict=bug complete=true kinds=misuse,assertion
// Graphs: traces.py derives 23.
// graphs: 23 --keep-going
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
pthread_mutex_t m;  // zero: usable on glibc before the init
atomic_int inside;
static void* t(void* a) {
  pthread_mutex_lock(&m);
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  pthread_mutex_init(&m, 0);
  t(0);
  pthread_join(p, 0);
  return 0;
}
