// Loops as C++ programs have them: a string, a container, a shared pointer and an exception in each round. What leads out
// of the loop by an exception of the library (std::__throw_length_error) is no hindrance. What the loop calls is not known: the
// way back leads through an exception.
// heddle: check --reduction optimal
// expect: incomplete=unknown-loop bugs=0
// every search: none
#include <atomic>
#include <cassert>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::atomic<int> ready{0};

struct Unready {
  std::unique_ptr<int> when;
};

static void Look() {
  if (ready.load() == 0) throw Unready{std::make_unique<int>(1)};
}

int main() {
  std::thread waits([] {
    for (;;) {
      std::vector<int> tries(4, 1);
      const auto shared = std::make_shared<int>(tries[2]);
      try {
        Look();
        break;
      } catch (const Unready& unready) {
        assert(*unready.when == *shared);
      }
    }
  });
  ready = 1;
  waits.join();
}
