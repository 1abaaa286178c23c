// Rounding modes belong to threads: each keeps its own across the steps of others, and a new thread
// begins with that of the thread that creates it (POSIX, pthread_create).
// compilers: gcc clang   opt: -O0 -O2   flags: -frounding-math -lm
// heddle: check
// expect: verdict=clean complete=true executions=12
// Graphs: four updates, two of them of one thread: 4!/2! = 12.
// traces: 12 enumerated
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int turns;
static volatile float one = 1, three = 3;
static volatile long double long_one = 1, long_three = 3;

// 1/3 by SSE and by the x87 is above or below what is nearest.
static void Check(int mode, float third, long double long_third) {
  assert(fegetround() == mode);
  assert(one / three == third && long_one / long_three == long_third);
}

static void* RoundUp(void* unused) {
  fesetround(FE_UPWARD);
  const float third = one / three;
  const long double long_third = long_one / long_three;
  turns++;
  Check(FE_UPWARD, third, long_third);
  turns++;
  Check(FE_UPWARD, third, long_third);
  return unused;
}

static void* Inherit(void* unused) {
  const float third = one / three;
  const long double long_third = long_one / long_three;
  Check(FE_DOWNWARD, third, long_third);
  turns++;
  Check(FE_DOWNWARD, third, long_third);
  return unused;
}

int main(void) {
  pthread_t up, down;
  const float nearest = one / three;
  const long double long_nearest = long_one / long_three;
  pthread_create(&up, NULL, RoundUp, NULL);
  fesetround(FE_DOWNWARD);
  pthread_create(&down, NULL, Inherit, NULL);
  fesetround(FE_TONEAREST);
  turns++;
  Check(FE_TONEAREST, nearest, long_nearest);
  pthread_join(up, NULL);
  pthread_join(down, NULL);
  Check(FE_TONEAREST, nearest, long_nearest);
  assert(turns == 4);
  return 0;
}
