// An order book that is changed in three sections under one lock: reserve, fill, publish. A reader collects in three sections as well. A report
// is wrong only if each of its sections falls between two of the other's, as reserved but not filled, filled but not published.
// Interleaving: the first look comes before the first order is filled, two more after the second is reserved, and the last when that is filled.
// Everything else is let pass by the check.
// bug: preemptions=2 threads=3
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include "run_threads.h"

enum { kOrders = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int reserved, filled, published;

static int Change(int *counter, int by) {
  pthread_mutex_lock(&mutex);
  int before = *counter;
  *counter += by;
  pthread_mutex_unlock(&mutex);
  return before;
}

static void *Trade(void *arg) {
  for (int i = 0; i < kOrders; i++) {
    Change(&reserved, 1);
    Change(&filled, 1);
    Change(&published, 1);
  }
  return arg;
}

static void *Report(void *arg) {
#ifdef FIXED
  pthread_mutex_lock(&mutex);
  int r = reserved, f = filled, p = published;
  pthread_mutex_unlock(&mutex);
  assert(r >= f && f >= p);
#else
  int f = Change(&filled, 0);
  int r = Change(&reserved, 0);
  int p = Change(&published, 0);
  int again = Change(&filled, 0);
  // Three looks that each caught the book in the middle of another order.
  assert(!(f == 0 && r == 2 && p == 1 && again == 2));
#endif
  return arg;
}

int main() { RunThreads(2, (Body[]){Trade, Report}); }
