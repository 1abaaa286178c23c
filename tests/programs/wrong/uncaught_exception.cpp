// An exception that nobody catches in a thread, in one order only; the message says what was
// thrown.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=uncaught-exception preemptions=0 message~runtime_error
// Graphs: the load before or after the store, 2.
// traces: 2 enumerated --keep-going
#include <atomic>
#include <stdexcept>
#include <thread>

static std::atomic<bool> closed{false};

int main() {
  std::thread closer([] { closed = true; });
  std::thread user([] {
    if (closed) throw std::runtime_error("closed already");
  });
  closer.join();
  user.join();
}
