// main leaves by pthread_exit after it has joined all others: that is no part of anybody else's step. The store comes
// before or after each of the two loads: 4.
// traces: 4 enumerated
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void* w(void* a) { atomic_store(&x, 1); return 0; }
static void* r(void* a) { atomic_load(&x); return 0; }
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, w, 0);
  pthread_create(&t[1], 0, r, 0);
  pthread_create(&t[2], 0, r, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  pthread_exit(0);
}
