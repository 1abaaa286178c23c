// A read-write spin lock in one word: readers are counted, a writer sets a bit. A writer looks that nobody is there, then sets the bit
// by an OR: a reader can come in between.
// Interleaving: the writer reads 0; a reader counts itself; the writer sets its bit; both are inside.
// Right: compare-and-swap from 0. Two readers and two writers.
// bug: preemptions=2 threads=5
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 1800
// expect: verdict=incomplete bugs=0
#include <atomic>
#include <cassert>
#include <thread>

static constexpr unsigned kWriter = 1u << 31;
static std::atomic<unsigned> word;
static std::atomic<int> readers, writers;

static void LockShared() {
  for (;;) {
    unsigned now = word;
    if (!(now & kWriter) && word.compare_exchange_strong(now, now + 1)) return;
  }
}

static void Lock() {
#ifdef FIXED
  for (;;) {
    unsigned none = 0;
    if (word.compare_exchange_strong(none, kWriter)) return;
    while (word != 0) {
    }
  }
#else
  for (;;) {
    while (word != 0) {
    }
    if (!(word.fetch_or(kWriter) & kWriter)) return;
  }
#endif
}

static void Read() {
  LockShared();
  readers++;
  assert(writers == 0);
  readers--;
  word--;
}

static void Write() {
  Lock();
  writers++;
  assert(readers == 0);
  writers--;
  word.fetch_and(~kWriter);
}

int main() {
  std::thread a(Write), b(Read), c(Read), d(Write);
  a.join(), b.join(), c.join(), d.join();
}
