// Two C++ threads with twelve visible operations between them: std::mutex and std::atomic.
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

std::mutex mutex;
std::atomic<int> arrivals;
int total;
int rounds = 2;

void Work() {
  for (int i = 0; i < rounds; ++i) {
    arrivals.fetch_add(1);
    std::lock_guard<std::mutex> hold(mutex);
    ++total;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) rounds = std::atoi(argv[1]);
  std::thread other(Work);
  std::thread another(Work);
  other.join();
  another.join();
  return total == 2 * rounds && arrivals == 2 * rounds ? 0 : 1;
}
