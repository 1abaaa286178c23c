// The thread has made its last operation, but has not ended yet: to try to join it fails.
// heddle: check
// expect: verdict=bug kind=assertion message~pthread_tryjoin_np
// heddle: check --order depth-first --reduction none
// expect: verdict=bug kind=assertion message~pthread_tryjoin_np
// Graphs: the try before or after the end of the thread, 2.
// traces: 2 --keep-going
#include <pthread.h>
#include <sched.h>
#include <atomic>
#include <cassert>
static std::atomic<bool> finished{false};
static void* Run(void*) { finished = true; return nullptr; }
int main() {
  pthread_t t;
  pthread_create(&t, nullptr, Run, nullptr);
  while (!finished) sched_yield();
  assert(pthread_tryjoin_np(t, nullptr) == 0);
}
