// A thread that is done, joins another one and then takes a lock with a time limit: its step ends where it has to wait, and
// that it had to wait is an access. D = [done; join; ...], E: the end of the thread joined, W, U: the writer's lock and unlock.
//   graphs   D after E or not. Either way the lock comes before W, after U, or between the two, where it has to wait: then it
//            times out before U, or is taken after U. 2 * 4 = 8.
// heddle: check
// expect: verdict=clean complete=true happens_before=8 outcomes=late,taken
// heddle: check --reduction source
// expect: verdict=clean complete=true executions=8 happens_before=8 redundant=0 outcomes=late,taken
// heddle: check --reduction dpor
// expect: verdict=clean complete=true happens_before=8 outcomes=late,taken
// heddle: check --reduction none
// expect: verdict=clean complete=true happens_before=8 outcomes=late,taken
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_t ended;
static atomic_int x;
static const struct timespec kFar = {.tv_sec = 4000000000};

static void *End(void *arg) {
  heddle_done();
  return arg;
}

static void *Write(void *arg) {
  pthread_rwlock_wrlock(&lock);
  x = 2;
  pthread_rwlock_unlock(&lock);
  return arg;
}

static void *JoinAndLock(void *arg) {
  heddle_done();
  pthread_join(ended, 0);
  int late = pthread_rwlock_timedwrlock(&lock, &kFar);
  if (!late) pthread_rwlock_unlock(&lock);
  heddle_outcome(late ? "late" : "taken");
  return arg;
}

int main() {
  pthread_t writer, joins;
  pthread_create(&ended, 0, End, 0);
  pthread_create(&writer, 0, Write, 0);
  pthread_create(&joins, 0, JoinAndLock, 0);
  pthread_join(writer, 0);
  pthread_join(joins, 0);
}
