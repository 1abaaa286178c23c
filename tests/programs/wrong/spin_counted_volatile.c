// The rounds are counted in a volatile variable, which is an atomic one by --volatile atomic: another thread may look at it
// without a race, so each of its values matters.
// heddle: check --volatile atomic
// expect: verdict=bug kind=assertion location=@six
// heddle: check --volatile atomic --points all
// expect: verdict=bug kind=assertion location=@six
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static volatile int rounds;
static atomic_int flag;

static void *Wait(void *arg) {
  for (rounds = 0; rounds < 8; rounds++)
    if (atomic_load(&flag)) break;
  return arg;
}

static void *Look(void *arg) {
  const int seen = rounds;
  assert(seen != 6);  // @six
  return arg;
}

int main(void) {
  pthread_t waits, looks;
  pthread_create(&waits, 0, Wait, 0);
  pthread_create(&looks, 0, Look, 0);
  pthread_join(waits, 0);
  pthread_join(looks, 0);
  return 0;
}
