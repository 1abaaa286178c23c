// Identifiers from blocks: `high` is fetched from a shared counter when the `low` part has run out. Reset of `low` and of `high` are two
// stores, and the reader reads them one after the other.
// Interleaving: a thread takes low = 0 of the new block before the new `high` is stored, and combines it with the old `high`: an identifier
// that was given before.
// bug: preemptions=1 threads=3
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static constexpr int kBlock = 3, kIds = 64;
static std::mutex refill;
static std::atomic<int> low{0}, high{0};
static std::atomic<int> given[kIds];

static int NextId() {
#ifdef FIXED
  std::lock_guard<std::mutex> guard(refill);
  if (low == kBlock) high++, low = 0;
  return high * kBlock + low++;
#else
  for (;;) {
    int mine = low++;
    if (mine < kBlock) return high * kBlock + mine;
    std::lock_guard<std::mutex> guard(refill);
    if (low >= kBlock) {
      low = 0;
      high++;
    }
  }
#endif
}

static void Take() {
  for (int i = 0; i < 3; i++) assert(given[NextId()]++ == 0);
}

int main() {
  std::thread a(Take), b(Take);
  a.join(), b.join();
}
