// Loops that wait with a time limit, and change nothing in a round whose limit passes: after such a round the limit passes again only
// when somebody has changed something. The clock is read by the C++ library only, for the limit.
// compilers: gcc clang
// std: c++20
// opt: -O0 -O1 -O2
//
// The worker polls a flag. Its first round is looked at from its end on, so that it makes two in vain before it waits. The store of
// main comes before its first look (1); or between its k-th look and its k-th wait (k = 1, 2, 3), in that wait, or at its
// end, which is a broadcast to nobody or to the worker:
// traces: 10 enumerated -- poll
// An idle worker of a pool.
// traces: 15 enumerated -- idle
// heddle: check -- idle
// expect: verdict=clean complete=true executions=15
// heddle: check --timeouts last -- idle
// expect: verdict=clean complete=true
// heddle: check --visited states -- idle
// expect: verdict=clean complete=true
// Nobody signals; what is waited for lies in a string that the C++ library writes to, on a stack, in a queue.
// traces: 6 enumerated -- string
// traces: 6 enumerated -- stack
// (How many rounds are made until what lies in the frames has settled depends on the compiler.)
// heddle: check -- queue
// expect: verdict=clean complete=true
// Other ways to wait for so long.
// Of these some code cannot be followed: a virtual destructor, std::atomic without optimisation.
// heddle: check --keep-going -- any
// expect: verdict=incomplete incomplete=unknown-loop executions=10
// A future asks by a virtual call whether it is deferred, so its loop cannot be followed; but it is in the same state after each limit.
// heddle: check --memory-model sc --keep-going -- future
// expect: verdict=incomplete incomplete=unknown-loop,time-of-rounds bugs=0
// heddle: check --keep-going -- timed-mutex
// expect: bugs=0 executions=5
// The program computes with the clock: its rounds end by that.
// traces: 3 enumerated -- until
// traces: 6 enumerated -- clock
// One that reads a clock beside a loop that waits.
// heddle: check -- beside
// expect: verdict=incomplete incomplete=time-of-rounds
#include <heddle.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

using namespace std::chrono_literals;

namespace {

std::mutex mutex, other_mutex;
std::condition_variable changed, other_changed;

void Poll() {
  std::atomic<bool> stopped{false};
  std::thread worker([&] {
    while (!stopped) {
      std::unique_lock lock(mutex);
      changed.wait_for(lock, 50ms);
    }
  });
  stopped = true;
  changed.notify_all();
  worker.join();
}

void Idle() {
  std::atomic<int> status{1}, other{0};
  std::thread worker([&] {
    while (status != 0) {
      {
        std::unique_lock lock(other_mutex);
        other_changed.wait(lock, [&] { return status != 2; });
      }
      std::unique_lock lock(mutex);
      changed.wait_for(lock, 100ms, [&] { return status == 0; });
      if (status == 0) return;
    }
  });
  ++other;
  ++other;
  {
    std::lock_guard first(other_mutex), second(mutex);
    status = 0;
    other_changed.notify_all();
    changed.notify_all();
  }
  worker.join();
}

template <typename Done, typename Do>
void WaitUntil(Done done, Do set) {
  std::thread setter([&] {
    std::lock_guard lock(mutex);
    set();
  });
  for (;;) {
    std::unique_lock lock(mutex);
    if (changed.wait_for(lock, 10ms, done)) break;
  }
  setter.join();
}

std::string text;

void Queue() {
  std::deque<int> queue;
  std::thread producer([&] {
    for (int i = 1; i <= 2; ++i) {
      std::lock_guard lock(mutex);
      queue.push_back(i);
      changed.notify_one();
    }
  });
  for (int sum = 0; sum != 3;) {
    std::unique_lock lock(mutex);
    if (!changed.wait_for(lock, 10ms, [&] { return !queue.empty(); })) continue;
    sum += queue.front();
    queue.pop_front();
  }
  producer.join();
}

void TimedMutex() {
  std::timed_mutex timed;
  std::atomic<bool> stop{false};
  timed.lock();
  std::thread worker([&] {
    while (!stop) {
      if (!timed.try_lock_for(5ms)) continue;
      timed.unlock();
      return;
    }
  });
  stop = true;
  timed.unlock();
  worker.join();
}

void Any() {
  std::shared_mutex shared;
  std::condition_variable_any any;
  bool ready = false;
  std::thread setter([&] {
    std::unique_lock lock(shared);
    ready = true;
    any.notify_one();
  });
  std::unique_lock lock(shared);
  while (!any.wait_for(lock, 10ms, [&] { return ready; })) {
  }
  lock.unlock();
  setter.join();
}

void Future() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread setter([&] { promise.set_value(1); });
  while (future.wait_for(1ms) != std::future_status::ready) {
  }
  setter.join();
}

void Beside() {
  const auto begin = std::chrono::steady_clock::now();
  bool done = false;
  WaitUntil([&] { return done; }, [&] { done = true; });
  heddle_outcome("%d", std::chrono::steady_clock::now() - begin > 15ms);
}

template <typename Wait>
void WithClock(Wait wait) {
  bool ready = false;
  std::thread setter([&] {
    std::lock_guard lock(mutex);
    ready = true;
  });
  const auto until = std::chrono::steady_clock::now() + 1s;
  std::unique_lock lock(mutex);
  while (!ready && wait(lock, until)) {
  }
  lock.unlock();
  setter.join();
}

}  // namespace

int main(int, char** arguments) {
  const auto is = [&](const char* name) { return std::strcmp(arguments[1], name) == 0; };
  if (is("poll")) Poll();
  if (is("idle")) Idle();
  if (is("string")) WaitUntil([] { return !text.empty(); }, [] { text.append("more than fits into the object itself"); });
  bool done = false;
  if (is("stack")) WaitUntil([&] { return done; }, [&] { done = true; });
  if (is("queue")) Queue();
  if (is("timed-mutex")) TimedMutex();
  if (is("any")) Any();
  if (is("future")) Future();
  if (is("beside")) Beside();
  if (is("until"))
    WithClock([](auto& lock, auto until) { return changed.wait_until(lock, until) == std::cv_status::no_timeout; });
  if (is("clock"))
    WithClock([](auto& lock, auto until) {
      changed.wait_for(lock, 300ms);
      return std::chrono::steady_clock::now() < until;
    });
}
