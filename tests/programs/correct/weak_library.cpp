// What waits in the C++20 library waits at futexes, which the graphs have: a proof under each model.
// std: c++20
// heddle: check --memory-model c11 -- flag
// expect: verdict=clean complete=true
// heddle: check --memory-model tso -- flag
// expect: verdict=clean complete=true
// heddle: check --memory-model c11 -- number
// expect: verdict=clean complete=true
// heddle: check --memory-model c11 -- semaphore
// expect: verdict=clean complete=true
// heddle: check --memory-model c11 -- future
// expect: verdict=clean complete=true
// heddle: check --memory-model tso -- latch
// expect: verdict=clean complete=true
#include <atomic>
#include <cassert>
#include <cstring>
#include <future>
#include <latch>
#include <semaphore>
#include <thread>

static int data;

template <typename Set, typename Wait>
static void Run(Set set, Wait wait) {
  std::thread sets([&] {
    data = 1;
    set();
  });
  std::thread waits([&] {
    wait();
    assert(data == 1);
  });
  sets.join();
  waits.join();
}

int main(int argc, char** argv) {
  const auto is = [&](const char* name) { return argc > 1 && strcmp(argv[1], name) == 0; };
  if (is("flag")) {
    std::atomic<bool> flag{false};
    const auto set = [&] {
      flag.store(true);
      flag.notify_one();
    };
    Run(set, [&] { flag.wait(false); });
  } else if (is("number")) {
    std::atomic<long> number{0};
    const auto set = [&] {
      number.store(1, std::memory_order_release);
      number.notify_all();
    };
    Run(set, [&] { number.wait(0, std::memory_order_acquire); });
  } else if (is("semaphore")) {
    std::counting_semaphore<3> semaphore(0);
    Run([&] { semaphore.release(); }, [&] { semaphore.acquire(); });
  } else if (is("future")) {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    Run([&] { promise.set_value(1); }, [&] { assert(future.get() == 1); });
  } else if (is("latch")) {
    std::latch latch(1);
    Run([&] { latch.count_down(); }, [&] { latch.wait(); });
  }
}
