// Time is virtual: a sleep of an hour takes none, and every clock agrees that it took an hour.
// heddle: check
// expect: verdict=clean complete=true elapsed_s<=20
// Graphs: main's update before, between or after those of the thread, 3.
// traces: 3 enumerated
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

static std::atomic<int> x{0};

int main() {
  using namespace std::chrono;
  auto began = steady_clock::now();
  auto began_wall = system_clock::now();
  std::thread sleeper([] {
    x++;
    std::this_thread::sleep_for(hours(1));
    x++;
  });
  x++;
  sleeper.join();
  assert(steady_clock::now() - began >= hours(1));
  assert(system_clock::now() - began_wall >= hours(1));
  time_t seconds = time(nullptr);
  sleep(10);
  usleep(1000);
  timespec pause = {5, 0};
  assert(nanosleep(&pause, nullptr) == 0);
  assert(time(nullptr) - seconds >= 15);
}
