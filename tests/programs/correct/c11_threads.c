// threads.h from end to end: threads with results, all mutex types, conditions, once, thread-
// specific storage.
// compilers: gcc clang   std: c11 c17
// heddle: check --bound preemptions=2
// expect: verdict=clean
// Graphs: who calls once first, 2. The first in turn locks first, or the other one, which then waits for it: 2. The
// first one's destructor takes the mutex before the other one's section, between that and its destructor, or after
// both: 3. 12 in all.
// traces: 12
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex, recursive, timed;
static cnd_t changed;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t key;
static int once_calls, turn, destroyed;

static void Once(void) { once_calls++; }

static void Destroy(void *value) {
  mtx_lock(&mutex);
  destroyed += *(int *)value;
  mtx_unlock(&mutex);
}

static int Run(void *arg) {
  int me = *(int *)arg;
  call_once(&flag, Once);
  assert(tss_get(key) == 0);
  tss_set(key, arg);
  mtx_lock(&mutex);
  while (turn != me) cnd_wait(&changed, &mutex);
  turn++;
  cnd_broadcast(&changed);
  mtx_unlock(&mutex);
  assert(tss_get(key) == arg);
  if (me == 1) thrd_exit(me);
  return me;
}

int main() {
  mtx_init(&mutex, mtx_plain);
  mtx_init(&recursive, mtx_plain | mtx_recursive);
  mtx_init(&timed, mtx_timed);
  cnd_init(&changed);
  tss_create(&key, Destroy);
  int numbers[] = {0, 1};
  thrd_t threads[2];
  for (int i = 0; i < 2; i++) assert(thrd_create(&threads[i], Run, &numbers[i]) == thrd_success);
  for (int i = 0; i < 2; i++) {
    int result;
    assert(thrd_join(threads[i], &result) == thrd_success && result == i);
  }
  assert(once_calls == 1 && turn == 2 && destroyed == 1);
  assert(mtx_lock(&recursive) == thrd_success && mtx_trylock(&recursive) == thrd_success);
  mtx_unlock(&recursive), mtx_unlock(&recursive);
  struct timespec past = {1, 0};
  assert(mtx_lock(&timed) == thrd_success);
  assert(mtx_trylock(&timed) == thrd_busy);
  mtx_unlock(&timed);
  mtx_lock(&mutex);
  assert(cnd_timedwait(&changed, &mutex, &past) == thrd_timedout);
  mtx_unlock(&mutex);
  thrd_yield();
  assert(thrd_equal(thrd_current(), thrd_current()));
}
