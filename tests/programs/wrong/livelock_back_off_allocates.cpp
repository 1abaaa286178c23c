// livelock_back_off.c, with a note that is made in each round.
// heddle: check --order context-bounded
// expect: verdict=bug kind=livelock message~"in a fair schedule"
// every search: livelock
#include <mutex>
#include <string>
#include <thread>

static std::mutex left, right;

static void TakeBoth(std::mutex& mine, std::mutex& other) {
  for (;;) {
    mine.lock();
    const std::string note(100, 'x');
    if (other.try_lock()) break;
    mine.unlock();
  }
  other.unlock();
  mine.unlock();
}

int main() {
  std::thread thread([] { TakeBoth(left, right); });
  TakeBoth(right, left);
  thread.join();
}
