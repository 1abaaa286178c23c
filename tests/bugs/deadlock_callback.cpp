// Three subsystems that call each other with their lock held: the cache looks into the store on a miss, the store calls the journal when it is
// flushed, and the journal invalidates the cache when it is compacted. Each pair is taken in one order only; the cycle has three.
// Interleaving: each of three threads has the lock of its subsystem. Before that the journal must have three entries.
// bug: preemptions=1 threads=4
// heddle: check
// expect: verdict=bug kind=deadlock
// fixed: check
// expect: verdict=clean complete=true
#include <mutex>
#include <thread>

static std::mutex cache, store, journal;
static int misses, looks, written, entries;

static void Lookup() {
  std::lock_guard<std::mutex> guard(cache);
  misses++;
  std::lock_guard<std::mutex> both(store);
  looks++;
}

static void Flush() {
  std::lock_guard<std::mutex> guard(store);
  written++;
  std::lock_guard<std::mutex> both(journal);
  entries++;
}

static void Compact() {
#ifdef FIXED
  {
    std::lock_guard<std::mutex> guard(journal);
    if (entries < 3) return;
    entries = 0;
  }
  std::lock_guard<std::mutex> both(cache);
#else
  std::lock_guard<std::mutex> guard(journal);
  if (entries < 3) return;
  entries = 0;
  std::lock_guard<std::mutex> both(cache);
#endif
  misses = 0;
}

int main() {
  std::thread a([] { Lookup(), Lookup(); });
  std::thread b([] {
    for (int i = 0; i < 4; i++) Flush();
  });
  std::thread c([] { Compact(), Compact(); });
  a.join(), b.join(), c.join();
}
