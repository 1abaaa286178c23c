// A robust mutex is given up by the end of its owner, not by the owner's last operation. L, S, E are T1's operations, F
// and, after S, T main's: F first or after L; L S F T (EBUSY: the assertion), whose end comes before or after E; L S F E T;
// L S E F T.
// heddle: check --order depth-first --reduction none --keep-going
// expect: verdict=bug complete=true executions=6 happens_before=4 bugs=1 kind=assertion message~EBUSY
// heddle: check
// expect: verdict=bug kind=assertion message~EBUSY
#include <pthread.h>
#include <atomic>
#include <cassert>
#include <errno.h>
#include <stdio.h>
static std::atomic<bool> finished{false};
static pthread_mutex_t m;
static void* T(void*) { pthread_mutex_lock(&m); finished = true; return nullptr; }
int main() {
  pthread_mutexattr_t at; pthread_mutexattr_init(&at); pthread_mutexattr_setrobust(&at, PTHREAD_MUTEX_ROBUST); pthread_mutex_init(&m, &at);
  pthread_t t; pthread_create(&t, nullptr, T, nullptr);
  if (finished) assert(pthread_mutex_trylock(&m) != EBUSY);
  pthread_join(t, nullptr);
}
