// A write-ahead log: records go to a batch of 32, which a flusher writes when it is full. An appender reads the position, and writes its record there
// later; the flusher goes by the position alone.
// Interleaving: the appender has advanced the position from 31 to 32 and not written its record; the other appender fills nothing any more, and the
// flusher writes the batch with a hole. It can show only at the batch's end, one place of 32.
// bug: preemptions=1 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <atomic>
#include <cassert>
#include <thread>

static constexpr int kBatch = 32;
static std::atomic<int> position, records[kBatch], committed;

static void Append(int count) {
  for (int i = 0; i < count; i++) {
    int at = position++;
    if (at >= kBatch) return;
    records[at] = 1;
    committed++;
  }
}

static void Flush() {
  for (int look = 0; look < 3; look++) {
#ifdef FIXED
    if (committed < kBatch) continue;
#else
    if (position < kBatch) continue;
#endif
    for (auto &record : records) assert(record);
    return;
  }
}

int main() {
  std::thread a(Append, 20), b(Append, 12), flusher(Flush);
  a.join(), b.join(), flusher.join();
}
