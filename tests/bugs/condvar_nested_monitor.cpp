// Nested monitors: a connection pool with a lock of its own waits for a free connection while its caller holds the lock of the session
// table; to give a connection back one has to pass the session table.
// Interleaving: the pool is empty when a third session opens, and the others come to close.
// It needs the third to open while both connections are out.
// bug: preemptions=2 threads=5
// heddle: check
// expect: verdict=bug kind=deadlock
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex sessions, pool;
static std::condition_variable freed;
static int connections = 2, open_sessions;

static void Open() {
#ifndef FIXED
  std::lock_guard<std::mutex> table(sessions);
#endif
  {
    std::unique_lock<std::mutex> lock(pool);
    freed.wait(lock, [] { return connections > 0; });
    connections--;
  }
#ifdef FIXED
  std::lock_guard<std::mutex> table(sessions);
#endif
  open_sessions++;
}

static void Close() {
  std::lock_guard<std::mutex> table(sessions);
  open_sessions--;
  std::lock_guard<std::mutex> lock(pool);
  connections++;
  freed.notify_one();
}

static void Session() {
  Open();
  Close();
}

int main() {
  std::thread a(Session), b(Session), c(Session), d(Session);
  a.join(), b.join(), c.join(), d.join();
  assert(open_sessions == 0);
}
