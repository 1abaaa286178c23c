// std::thread::join of oneself throws, as the C++ standard says it does.
// heddle: check
// expect: verdict=clean complete=true outcomes=deadlock
// Graphs: the thread waits until main unlocks, and main then joins it: 1.
// traces: 1 enumerated
#include <heddle.h>

#include <cassert>
#include <mutex>
#include <system_error>
#include <thread>

static std::mutex mutex;
static std::thread *self;

int main() {
  std::unique_lock lock(mutex);
  std::thread thread([] {
    std::lock_guard guard(mutex);
    try {
      self->join();
    } catch (const std::system_error& error) {
      assert(error.code() == std::errc::resource_deadlock_would_occur);
      heddle_outcome("deadlock");
    }
  });
  self = &thread;
  lock.unlock();
  thread.join();
}
