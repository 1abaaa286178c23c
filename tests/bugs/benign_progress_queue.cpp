// A download in segments, with a progress display that reads plain counters while others write them: races that are meant. Behind them: a segment that
// fails is given back to the queue by an index that was computed before the lock was taken.
// Interleaving: the failing worker reads the queue's end, another worker gives back its own segment, and one of the two is overwritten.
// bug: preemptions=1 threads=4 search="--no-races"
// heddle: check --no-races
// expect: verdict=bug kind=assertion
// heddle: check --keep-going --executions 2000
// expect: verdict=bug kinds=data-race,assertion
// fixed: check --no-races
// expect: verdict=clean complete=true
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static constexpr int kSegments = 4, kWorkers = 2;
static std::mutex mutex;
static int queue[2 * kSegments];
static int begin_at, bytes[kSegments], shown;  // bytes: racy on purpose
static std::atomic<int> end_at{kSegments};
static std::atomic<int> fetched[kSegments];

static int Next() {
  std::lock_guard<std::mutex> guard(mutex);
  return begin_at < end_at ? queue[begin_at++] : -1;
}

static void GiveBack(int segment) {
#ifdef FIXED
  std::lock_guard<std::mutex> guard(mutex);
  queue[end_at] = segment;
  end_at++;
#else
  int at = end_at;
  std::lock_guard<std::mutex> guard(mutex);
  queue[at] = segment;
  end_at = at + 1;
#endif
}

static void Work(int self) {
  bool failed = false;
  for (int segment; (segment = Next()) >= 0;) {
    bytes[segment] += 512;
    if (!failed && segment >= kSegments - 2) {  // the connection breaks, once for each worker
      failed = true;
      GiveBack(segment);
      continue;
    }
    bytes[segment] += 512;
    fetched[segment]++;
  }
}

static void Show() {
  for (int round = 0; round < 2; round++) {
    int sum = 0;
    for (int b : bytes) sum += b;
    shown = sum;
    std::this_thread::yield();
  }
}

int main() {
  for (int i = 0; i < kSegments; i++) queue[i] = i;
  std::thread a(Work, 0), b(Work, 1), display(Show);
  a.join(), b.join(), display.join();
  int all = 0;
  for (auto &segment : fetched) all += segment;
  assert(all == kSegments);
  assert(shown >= 0);  // so that no compiler leaves out the display
}
