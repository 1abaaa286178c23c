// A cache behind a read-write lock. A miss upgrades: the reader takes the writers' turnstile while it keeps its read lock, and waits
// until it is the only reader. Two that miss at once wait for each other.
// Here the upgrade is refused if the turnstile is taken, so two never wait; but a third one, a plain writer, holds the turnstile while it
// waits for the readers to leave, and one of these waits for the turnstile.
// Right: the one who is refused gives its read lock back, and begins anew as a writer.
// bug: preemptions=1 threads=4
// heddle: check
// expect: verdict=bug kind=deadlock
// fixed: check
// expect: verdict=clean complete=true
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static int readers, value;
static bool upgrading, filled;
static std::mutex turnstile;

static void LockShared() {
  std::unique_lock<std::mutex> guard(mutex);
  readers++;
}

static void UnlockShared() {
  std::unique_lock<std::mutex> guard(mutex);
  readers--;
  changed.notify_all();
}

static void Exclusive(int readers_left) {
  std::unique_lock<std::mutex> guard(mutex);
  changed.wait(guard, [=] { return readers <= readers_left; });
  filled = true;
  value = 42;
}

static void Lookup() {
  LockShared();
  bool hit;
  {
    std::unique_lock<std::mutex> guard(mutex);
    hit = filled;
  }
  if (!hit) {
    bool first;
    {
      std::unique_lock<std::mutex> guard(mutex);
      first = !upgrading;
      upgrading = true;
    }
    if (first) {
#ifdef FIXED
      UnlockShared();
      turnstile.lock();
      Exclusive(0);
      turnstile.unlock();
      return;
#else
      turnstile.lock();
      Exclusive(1);
      turnstile.unlock();
#endif
    }
  }
  UnlockShared();
}

static void Refresh() {
  turnstile.lock();
  Exclusive(0);
  turnstile.unlock();
}

int main() {
  std::thread a(Lookup), b(Lookup), c(Refresh);
  a.join(), b.join(), c.join();
  assert(value == 42);
}
