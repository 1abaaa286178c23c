// N threads lock and unlock a mutex of their own; main joins them and destroys the mutexes: 1 trace.
// traces: 1 enumerated
#include <pthread.h>
#ifndef N
#define N 4
#endif
pthread_mutex_t m[N];
static void* f(void* p) { pthread_mutex_lock(p); pthread_mutex_unlock(p); return 0; }
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_mutex_init(&m[i], 0);
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, f, &m[i]);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
#ifndef KEEP
  for (int i = 0; i < N; i++) pthread_mutex_destroy(&m[i]);
#endif
  return 0;
}
