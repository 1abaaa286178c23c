// A join with a time limit is an operation, and so is the end of the thread: it reads before it (times out) or after it,
// whatever else the threads do. A's load before or after B's store, times that: 4. All orders of A's load and end and
// main's join with B's store, load and end: C(6,3) = 20.
// heddle: check --order depth-first --reduction none
// expect: verdict=clean complete=true executions=20 "outcomes=r=0 joined,r=0 timed out,r=1 joined,r=1 timed out"
// heddle: check --reduction source
// expect: complete=true executions=4 "outcomes=r=0 joined,r=0 timed out,r=1 joined,r=1 timed out"
// heddle: check --reduction dpor
// expect: complete=true executions=4 "outcomes=r=0 joined,r=0 timed out,r=1 joined,r=1 timed out"
// heddle: check --reduction sleep-sets
// expect: complete=true executions=4 "outcomes=r=0 joined,r=0 timed out,r=1 joined,r=1 timed out"
// traces: 4 enumerated
#include <heddle.h>
#include <pthread.h>
#include <time.h>
#include <errno.h>
#include <atomic>
static std::atomic<int> x{0};
static int r;
static void* A(void*) { r = x.load(); return nullptr; }
static void* B(void*) { x.store(1); x.load(); return nullptr; }
int main() {
  pthread_t a, b;
  pthread_create(&a, nullptr, A, nullptr);
  pthread_create(&b, nullptr, B, nullptr);
  pthread_join(a, nullptr);
  timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_sec += 1;
  const int s = pthread_timedjoin_np(b, nullptr, &t);
  heddle_outcome("r=%d %s", r, s == ETIMEDOUT ? "timed out" : "joined");
  if (s != 0) pthread_join(b, nullptr);
}
