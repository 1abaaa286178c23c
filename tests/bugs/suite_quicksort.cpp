// Parallel quicksort: threads take ranges from a stack and put the halves back. All are done when the stack is empty and nobody works.
// The bug: a worker counts itself out in one section, where it wakes the others only if its range was too small to split, and puts its halves
// back in the next. If both are too small to be put back, nobody is woken.
// Interleaving: two workers wait for a range or the end while the last range is split into halves of one number.
// bug: preemptions=1 threads=4
// heddle: check
// expect: verdict=bug kind=deadlock
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <algorithm>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

static constexpr int kSize = 12, kThreads = 3;
static std::vector<int> numbers;
static std::mutex mutex;
static std::condition_variable changed;
static std::vector<std::pair<int, int>> ranges;
static int working;

static void Split(int begin, int end, std::vector<std::pair<int, int>> *rest) {
  if (end - begin <= 2) {
    std::sort(numbers.begin() + begin, numbers.begin() + end);
    return;
  }
  int pivot = numbers[begin + (end - begin) / 2];
  auto low = std::partition(numbers.begin() + begin, numbers.begin() + end, [=](int n) { return n < pivot; });
  auto high = std::partition(low, numbers.begin() + end, [=](int n) { return n == pivot; });
  rest->emplace_back(begin, int(low - numbers.begin()));
  rest->emplace_back(int(high - numbers.begin()), end);
}

static void Work() {
  for (;;) {
    std::pair<int, int> range;
    {
      std::unique_lock<std::mutex> lock(mutex);
      changed.wait(lock, [] { return !ranges.empty() || working == 0; });
      if (ranges.empty()) return;
      range = ranges.back();
      ranges.pop_back();
      working++;
    }
    std::vector<std::pair<int, int>> rest;
    Split(range.first, range.second, &rest);
#ifdef FIXED
    std::lock_guard<std::mutex> guard(mutex);
    for (auto &r : rest)
      if (r.second - r.first > 1) ranges.push_back(r);
    working--;
    changed.notify_all();
#else
    {
      std::lock_guard<std::mutex> guard(mutex);
      working--;
      if (working == 0 && rest.empty()) changed.notify_all();
    }
    std::lock_guard<std::mutex> guard(mutex);
    for (auto &r : rest)
      if (r.second - r.first > 1) ranges.push_back(r), changed.notify_one();
#endif
  }
}

int main() {
  for (int i = 0; i < kSize; i++) numbers.push_back(i * 7 % kSize);
  ranges.emplace_back(0, kSize);
  std::thread threads[kThreads];
  for (auto &thread : threads) thread = std::thread(Work);
  for (auto &thread : threads) thread.join();
  assert(std::is_sorted(numbers.begin(), numbers.end()) && ranges.empty());
}
