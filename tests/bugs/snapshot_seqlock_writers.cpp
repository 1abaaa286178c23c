// A read-mostly cache with a sequence lock. Two writers may come at once, and each makes the counter odd by an increment, so that
// two make it even again.
// Interleaving: both writers increment; the reader finds an even counter although both are at work.
// Right: a writer takes the lock by compare-and-swap of an even value.
// bug: preemptions=1 threads=5
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<unsigned> sequence;
static std::atomic<int> key, value;

static void Begin() {
#ifdef FIXED
  for (;;) {
    unsigned even = sequence & ~1u;
    if (sequence.compare_exchange_strong(even, even + 1)) return;
  }
#else
  sequence++;
#endif
}

static void Write(int number) {
  Begin();
  key = number;
  value = number * 10;
  sequence++;
}

static void Read() {
  for (int attempt = 0; attempt < 2; attempt++) {
    unsigned before = sequence;
    if (before & 1) continue;
    int k = key, v = value;
    if (sequence == before) assert(v == k * 10);
  }
}

int main() {
  std::thread first(Write, 1), second(Write, 2), a(Read), b(Read);
  first.join(), second.join(), a.join(), b.join();
}
