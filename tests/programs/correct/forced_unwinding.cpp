// pthread_exit unwinds: destructors run, catch (...) sees it and must let it pass.
// compilers: gcc clang
// heddle: check
// expect: verdict=clean complete=true
// main only joins the thread: 1 execution.
// traces: 1 enumerated
#include <cxxabi.h>
#include <pthread.h>

#include <cassert>

static int destroyed, caught;

struct Guard {
  ~Guard() { destroyed++; }
};

static void Leave() {
  Guard guard;
  pthread_exit(reinterpret_cast<void *>(5));
}

static void *Run(void *) {
  Guard guard;
  try {
    Leave();
  } catch (abi::__forced_unwind &) {
    caught++;
    throw;
  }
  return nullptr;
}

int main() {
  pthread_t thread;
  void *result;
  pthread_create(&thread, nullptr, Run, nullptr);
  assert(pthread_join(thread, &result) == 0);
  assert(result == reinterpret_cast<void *>(5) && destroyed == 2 && caught == 1);
}
