// A hash table with a lock for each stripe. Resizing takes all stripes; but an insert chooses its stripe by the number of buckets that it
// read before it locked.
// Interleaving: an insert reads the old size and computes bucket and stripe; another thread resizes; the insert locks the wrong stripe and puts
// its key into the wrong bucket, where nobody finds it.
// main fills the table first: 1,500 keys, several thousand events.
// bug: preemptions=1 threads=3
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static constexpr unsigned kStripes = 2, kKeys = 1500, kMore = 4;
static std::mutex stripes[kStripes];
static std::vector<std::vector<unsigned>> buckets(256);
static std::atomic<unsigned> size{256}, keys;

static unsigned Hash(unsigned key) { return key * 2654435761u >> 8; }

static void Resize() {
  for (auto &stripe : stripes) stripe.lock();
  std::vector<std::vector<unsigned>> larger(size * 2);
  for (auto &bucket : buckets)
    for (unsigned key : bucket) larger[Hash(key) % larger.size()].push_back(key);
  buckets.swap(larger);
  size = unsigned(buckets.size());
  for (auto &stripe : stripes) stripe.unlock();
}

static void Insert(unsigned key) {
  for (;;) {
    unsigned now = size;
    unsigned bucket = Hash(key) % now;
    std::lock_guard<std::mutex> guard(stripes[bucket % kStripes]);
#ifdef FIXED
    if (now != size) continue;
#endif
    buckets[bucket].push_back(key);
    break;
  }
  if (++keys == kKeys + kMore / 2) Resize();
}

static bool Contains(unsigned key) {
  unsigned bucket = Hash(key) % size;
  std::lock_guard<std::mutex> guard(stripes[bucket % kStripes]);
  for (unsigned other : buckets[bucket])
    if (other == key) return true;
  return false;
}

int main() {
  for (unsigned key = 0; key < kKeys; key++) Insert(key);
  std::thread a([] { Insert(kKeys), Insert(kKeys + 1); });
  std::thread b([] { Insert(kKeys + 2), Insert(kKeys + 3); });
  a.join(), b.join();
  for (unsigned key = kKeys; key < kKeys + kMore; key++) assert(Contains(key));
}
