// An LRU cache with a lock for the table and one for the list. A lookup finds the entry under the table's lock, and moves it to the front
// under the list's.
// Interleaving: between the two, an insert evicts the entry, which the lookup then puts back into the list: the list has an entry that the
// table has not.
// bug: preemptions=1 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <cassert>
#include <list>
#include <map>
#include <mutex>
#include <thread>

static constexpr int kCapacity = 3;
static std::mutex table_mutex, list_mutex;
static std::map<int, int> table;
static std::list<int> recent;

static void Insert(int key) {
  std::lock_guard<std::mutex> table_guard(table_mutex);
  table[key] = key;
  std::lock_guard<std::mutex> list_guard(list_mutex);
  recent.push_front(key);
  if (recent.size() > kCapacity) {
    table.erase(recent.back());
    recent.pop_back();
  }
}

static bool Lookup(int key) {
#ifdef FIXED
  std::lock_guard<std::mutex> table_guard(table_mutex);
  if (!table.count(key)) return false;
#else
  {
    std::lock_guard<std::mutex> table_guard(table_mutex);
    if (!table.count(key)) return false;
  }
#endif
  std::lock_guard<std::mutex> list_guard(list_mutex);
  recent.remove(key);
  recent.push_front(key);
  return true;
}

int main() {
  for (int key = 0; key < kCapacity; key++) Insert(key);
  std::thread a([] { Lookup(2), Lookup(1), Lookup(0); });
  std::thread b([] { Insert(10), Insert(11); });
  std::thread c([] { Lookup(10), Lookup(2); });
  a.join(), b.join(), c.join();
  assert(table.size() == recent.size());
  for (int key : recent) assert(table.count(key));
}
