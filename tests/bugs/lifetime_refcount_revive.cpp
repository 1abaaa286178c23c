// A cache of counted objects. `Release` decrements, and destroys at 0; `Lookup` finds the object in the table and increments.
// Interleaving: the last owner decrements to 0; a lookup finds the object, which is still in the table, and revives it; the last owner
// removes and destroys it.
// Right: a lookup increments only a count that is not 0.
// bug: preemptions=1 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <atomic>
#include <cassert>
#include <thread>

static constexpr int kEntries = 3;

struct Entry {
  std::atomic<int> count{1}, destroyed{0};
};

static Entry entries[kEntries];
static std::atomic<Entry *> table[kEntries];

static Entry *Lookup(int key) {
  Entry *entry = table[key];
  if (!entry) return nullptr;
#ifdef FIXED
  int count = entry->count;
  while (count > 0)
    if (entry->count.compare_exchange_strong(count, count + 1)) return entry;
  return nullptr;
#else
  entry->count++;
  return entry;
#endif
}

static void Release(int key, Entry *entry) {
  if (--entry->count > 0) return;
  table[key] = nullptr;
  entry->destroyed = 1;
}

static void Use(int key) {
  if (Entry *entry = Lookup(key)) {
    assert(!entry->destroyed);
    Release(key, entry);
  }
}

int main() {
  for (int i = 0; i < kEntries; i++) table[i] = &entries[i];
  std::thread users[2];
  for (auto &user : users)
    user = std::thread([] {
      for (int key = 0; key < kEntries; key++) Use(key);
    });
  std::thread evictor([] {
    for (int key = kEntries - 1; key >= 0; key--) Release(key, &entries[key]);
  });
  for (auto &user : users) user.join();
  evictor.join();
}
