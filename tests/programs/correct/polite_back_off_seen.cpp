// Two threads take two mutexes by std::scoped_lock in opposite orders, and go on for ever only if their steps stay in time. Main waits
// for both with looks that change nothing, a third thread with a lock that it takes and gives back: both may go round as often as the
// two fail, and that is no livelock either.
// heddle: check --visited states
// expect: verdict=clean complete=true
// heddle: check --preset zing
// expect: verdict=clean complete=true
#include <atomic>
#include <mutex>
#include <thread>

std::mutex a, b, c;
std::atomic<int> done{0};
bool seen = false;

int main() {
  std::thread first([] {
    { std::scoped_lock both(a, b); }
    ++done;
  });
  std::thread second([] {
    { std::scoped_lock both(b, a); }
    ++done;
  });
  std::thread third([] {
    for (;;) {
      std::scoped_lock lock(c);
      if (seen) break;
    }
  });
  while (done != 2) std::this_thread::yield();
  {
    std::scoped_lock lock(c);
    seen = true;
  }
  first.join(), second.join(), third.join();
}
