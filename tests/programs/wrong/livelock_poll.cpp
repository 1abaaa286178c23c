// Polling under a lock for what nobody is left to do.
// heddle: check
// expect: verdict=bug kind=livelock executions=1 message~polls
// Nobody else is there: 1 execution.
// graphs: 1 --keep-going
#include <mutex>
#include <thread>

static std::mutex mutex;
static bool done;

static bool Done() {
  std::lock_guard<std::mutex> guard(mutex);
  return done;
}

int main() {
  std::thread waiter([] {
    while (!Done()) {
    }
  });
  waiter.join();
  done = true;
}
