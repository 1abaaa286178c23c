// What libstdc++ builds on atomic waits and futexes, in programs of three threads: explored completely. It looks 16 times before it waits;
// of these rounds only the last look matters (docs/algorithms/spinning.md), or there would be hundreds of thousands.
// Additions that it throws away commute (same page), and who sleeps at a futex is an object beside its word: without the second, 940
// (latch), 2,820, 996 (barrier), 7,188 and 7,174 (semaphores). The numbers of latches and semaphores are derived in traces_models.py.
// opt: -O1   std: c++20
// traces: 528 -- latch
// traces: 1584 -- latch-all
// traces: 66 -- count-down
// heddle: check --reduction optimal -- barrier
// expect: verdict=clean complete=true redundant=0 executions=768
// traces: 1558 -- semaphore
// traces: 1520 -- semaphore-two
// heddle: check --reduction optimal -- wait
// expect: verdict=clean complete=true redundant=0 executions=36
// heddle: check --reduction optimal -- wait-long
// expect: verdict=clean complete=true redundant=0 executions=64
// heddle: check --reduction optimal -- future
// expect: verdict=clean complete=true redundant=0 executions=118
// heddle: check --reduction optimal -- once
// expect: verdict=clean complete=true redundant=0 executions=3
// heddle: check --reduction optimal -- shared-mutex
// expect: verdict=clean complete=true redundant=0 executions=4
// heddle: check --reduction optimal -- condition-any
// expect: verdict=clean complete=true redundant=0 executions=14
// (libstdc++ 12 unlocks its pointer relaxed after a load, and the next store writes it: a race.)
// heddle: check --reduction optimal --no-races -- shared-ptr
// expect: verdict=clean complete=true redundant=0 executions=1112
// Of the others no number of graphs is stated: the operations are those that libstdc++ makes inside.
#include <atomic>
#include <barrier>
#include <cassert>
#include <condition_variable>
#include <cstring>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>

template <typename A, typename B, typename C>
static void Run(A a, B b, C c) {
  std::thread first(a), second(b), third(c);
  first.join();
  second.join();
  third.join();
}
template <typename Same>
static void RunSame(Same same) {
  Run(same, same, same);
}

template <typename T>
static void WaitForOne() {
  std::atomic<T> flag(0);
  const auto wait = [&] { flag.wait(0); };
  Run(wait, wait, [&] {
    flag = 1;
    flag.notify_all();
  });
}

int main(int, char** argv) {
  const auto is = [&](const char* name) { return std::strcmp(argv[1], name) == 0; };
  if (is("latch")) {
    std::latch latch(2);
    const auto arrive = [&] { latch.arrive_and_wait(); };
    Run(arrive, arrive, [&] { latch.wait(); });
  } else if (is("latch-all")) {
    std::latch latch(3);
    RunSame([&] { latch.arrive_and_wait(); });
  } else if (is("count-down")) {
    std::latch latch(2);
    const auto count_down = [&] { latch.count_down(); };
    Run(count_down, count_down, [&] { latch.wait(); });
  } else if (is("barrier")) {
    std::barrier barrier(3);
    RunSame([&] { barrier.arrive_and_wait(); });
  } else if (is("semaphore")) {
    std::counting_semaphore<3> semaphore(0);
    const auto release = [&] { semaphore.release(); };
    Run(
        [&] {
          semaphore.acquire();
          semaphore.acquire();
        },
        release, release);
  } else if (is("semaphore-two")) {
    std::counting_semaphore<3> semaphore(0);
    const auto acquire = [&] { semaphore.acquire(); };
    Run(acquire, acquire, [&] { semaphore.release(2); });
  } else if (is("shared-ptr")) {
    std::atomic<std::shared_ptr<int>> pointer(std::make_shared<int>(0));
    const auto load = [&] { assert(*pointer.load() <= 1); };
    Run([&] { pointer.store(std::make_shared<int>(1)); }, load, load);
  } else if (is("wait")) {
    WaitForOne<int>();
  } else if (is("wait-long")) {
    WaitForOne<long>();
  } else if (is("future")) {
    std::promise<int> promise;
    const auto future = promise.get_future().share();
    const auto get = [future] { assert(future.get() == 7); };
    Run(get, get, [&] { promise.set_value(7); });
  } else if (is("once")) {
    std::once_flag once;
    int runs = 0;
    RunSame([&] {
      std::call_once(once, [&] { runs++; });
      assert(runs == 1);
    });
  } else if (is("shared-mutex")) {
    std::shared_mutex mutex;
    int value = 0;
    const auto read = [&] {
      std::shared_lock lock(mutex);
      assert(value == 0 || value == 1);
    };
    Run(read, read, [&] {
      std::unique_lock lock(mutex);
      value = 1;
    });
  } else if (is("condition-any")) {
    std::mutex mutex;
    std::condition_variable_any changed;
    bool set = false;
    const auto wait = [&] {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return set; });
    };
    Run(wait, wait, [&] {
      {
        std::unique_lock lock(mutex);
        set = true;
      }
      changed.notify_all();
    });
  }
}
