// A lock with a lease: it is granted for 100 ms, and then somebody else may have it. The holder looks at the clock before each write, but not
// while it writes; the store does not look at the number of the lease (fencing).
// Interleaving: the holder has checked its lease and is interrupted; the lease ends, the other one is granted the lock and writes; the first
// one's old write comes last.
// bug: preemptions=1 timeouts=1 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable released;
static int lease;
static int stored_by_lease;
static bool held;

static int Acquire() {
  std::unique_lock<std::mutex> lock(mutex);
  while (held)
    if (released.wait_for(lock, std::chrono::milliseconds(100)) == std::cv_status::timeout) break;
  held = true;
  return ++lease;
}

static bool StillMine(int mine) {
  std::lock_guard<std::mutex> guard(mutex);
  return lease == mine;
}

static void Store(int mine) {
  std::lock_guard<std::mutex> guard(mutex);
#ifdef FIXED
  if (mine < stored_by_lease) return;
#endif
  assert(mine >= stored_by_lease);
  stored_by_lease = mine;
}

static void Release(int mine) {
  std::lock_guard<std::mutex> guard(mutex);
  if (lease != mine) return;
  held = false;
  released.notify_one();
}

static void Client() {
  int mine = Acquire();
  for (int i = 0; i < 2; i++)
    if (StillMine(mine)) Store(mine);
  Release(mine);
}

int main() {
  std::thread a(Client), b(Client), c(Client);
  a.join(), b.join(), c.join();
}
