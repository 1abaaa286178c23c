// A key from before main is deleted, and the next one gets its number. In every execution after that, its
// destructor runs again, and only its own.
// heddle: check
// expect: verdict=clean complete=true executions=2
// Who takes the mutex first:
// traces: 2 enumerated
#include <assert.h>
#include <pthread.h>

static pthread_key_t early, late;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int early_ended, late_ended, entered;

static void EndEarly(void *value) { *(int *)value += 1; }
static void EndLate(void *value) { *(int *)value += 1; }

__attribute__((constructor)) static void MakeEarly(void) { pthread_key_create(&early, EndEarly); }

static void Enter(void) {
  pthread_mutex_lock(&mutex);
  ++entered;
  pthread_mutex_unlock(&mutex);
}

static void *WithEarly(void *unused) {
  (void)unused;
  pthread_setspecific(early, &early_ended);
  Enter();
  return 0;
}

static void *Without(void *unused) {
  (void)unused;
  Enter();
  return 0;
}

static void *WithLate(void *unused) {
  (void)unused;
  pthread_setspecific(late, &late_ended);
  return 0;
}

int main(void) {
  pthread_t first, second, third;
  pthread_create(&first, 0, WithEarly, 0);
  pthread_create(&second, 0, Without, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(early_ended == 1 && late_ended == 0);

  pthread_key_delete(early);
  pthread_key_create(&late, EndLate);
  assert(late == early);
  pthread_create(&third, 0, WithLate, 0);
  pthread_join(third, 0);
  assert(early_ended == 1 && late_ended == 1);
  return 0;
}
