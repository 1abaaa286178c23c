// After the choice the thread ends at once for one option, and not for the other: joined with either, or not yet.
// heddle: check
// expect: verdict=clean complete=true "outcomes=joined: 0,joined: 1,not joined"
// heddle: check --reduction source
// expect: verdict=clean complete=true "outcomes=joined: 0,joined: 1,not joined"
// heddle: check --order depth-first --reduction none
// expect: verdict=clean complete=true "outcomes=joined: 0,joined: 1,not joined"
// Graphs: two options, and main tries to join before or after the thread's end: 4.
// traces: 4
#include <heddle.h>
#include <pthread.h>
#include <atomic>
static std::atomic<int> x{0}, y{0};
static int r;
static void* Run(void*) {
  x.load();
  r = (int)heddle_choose(2);
  if (r != 1) y.load();
  return nullptr;
}
int main() {
  pthread_t t;
  pthread_create(&t, nullptr, Run, nullptr);
  const int failed = pthread_tryjoin_np(t, nullptr);
  if (!failed) heddle_outcome("joined: %d", r);
  else heddle_outcome("not joined");
}
