// N threads lock one mutex; main joins them and destroys it: N! traces.
// traces: 6 enumerated
#include <pthread.h>
#ifndef N
#define N 3
#endif
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void* f(void* p) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, f, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
#ifndef KEEP
  pthread_mutex_destroy(&m);
#endif
  return 0;
}
