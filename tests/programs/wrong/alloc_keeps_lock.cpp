// Where an allocation throws, the mutex stays locked, and the next thread waits for ever.
// heddle: check
// expect: verdict=clean complete=true
// heddle: check --fail-allocations 1
// expect: verdict=bug kind=deadlock step~"fails to allocate 24 bytes"
// heddle: check --fail-allocations 1 --reduction source
// expect: verdict=bug kind=deadlock
// heddle: check --fail-allocations 1 --order random --executions 200
// expect: verdict=bug kind=deadlock
// Derived: who locks first, 2, and whether that one's allocation fails: then it is a deadlock, 1; else the second's fails
// or not, 2. 2 * 3.
// traces: 6 enumerated --fail-allocations 1 --keep-going
// compilers: gcc clang
#include <mutex>
#include <new>

#include "run_threads.h"

static std::mutex mutex;
static void* volatile kept;

static void* Run(void* arg) {
  mutex.lock();
  try {
    kept = ::operator new(24);
    ::operator delete(kept);
  } catch (const std::bad_alloc&) {
    return arg;  // without unlocking
  }
  mutex.unlock();
  return arg;
}

int main() { RunSame(2, Run); }
