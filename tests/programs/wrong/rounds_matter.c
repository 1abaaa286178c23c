// A loop of six looks that never waits: how many of them were in vain decides. Zero, four times, and then one.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check
// expect: verdict=bug kind=assertion
// heddle: check --reduction optimal
// expect: verdict=bug kind=assertion preemptions=1
// heddle: check --order random
// expect: verdict=bug kind=assertion
// The store comes before one of the six looks, or after all of them: 7.
// traces: 7 enumerated --keep-going
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static void* set(void* arg) {
  atomic_store(&flag, 1);
  return arg;
}
static void* look(void* arg) {
  int failed = 0;
  for (int i = 0; i < 6; i++)
    if (!atomic_load(&flag)) failed++;
  assert(failed != 4);
  return arg;
}
int main(void) {
  pthread_t setter, looker;
  pthread_create(&setter, 0, set, 0);
  pthread_create(&looker, 0, look, 0);
  pthread_join(setter, 0);
  pthread_join(looker, 0);
  return 0;
}
