// A detached std::thread that outlives the object which started it; main waits for it by other
// means.
// heddle: check
// expect: verdict=clean complete=true
// Graphs: main locks first and waits, or does not have to, 2.
// traces: 2
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool done;

int main() {
  std::thread([] {
    std::lock_guard guard(mutex);
    done = true;
    changed.notify_one();
  }).detach();
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return done; });
}
