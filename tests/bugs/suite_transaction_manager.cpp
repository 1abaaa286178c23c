// A transaction manager: clients open transactions in a table and commit them; a timer aborts those that are too old. The timer collects
// the old ones in one section and aborts each in its own, by its slot.
// Interleaving: after it was collected a transaction is committed and its slot is given to a new one, which is then aborted in its place, and
// its client commits a transaction that is not open. Three preemptions: the slot must be old, be freed, and be given out.
// bug: preemptions=3 threads=5
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

struct Slot {
  int id = 0;
  enum { kFree, kOpen, kAborted } state = kFree;
  int age = 0;
};

static std::mutex mutex;
static Slot slots[2];
static int next_id;

static int Open() {
  std::lock_guard<std::mutex> guard(mutex);
  for (int i = 0; i < 2; i++)
    if (slots[i].state == Slot::kFree) {
      slots[i] = {++next_id, Slot::kOpen, 0};
      return i;
    }
  return -1;
}

static void Tick() {
  std::lock_guard<std::mutex> guard(mutex);
  for (auto &slot : slots) slot.age++;
}

static void Commit(int slot) {
  std::lock_guard<std::mutex> guard(mutex);
  // A transaction that was aborted must have been old.
  assert(slots[slot].state == Slot::kOpen || slots[slot].age >= 2);
  slots[slot] = {};
}

static void Expire() {
  std::vector<std::pair<int, int>> old;
  {
    std::lock_guard<std::mutex> guard(mutex);
    for (int i = 0; i < 2; i++)
      if (slots[i].state == Slot::kOpen && slots[i].age >= 2) old.emplace_back(i, slots[i].id);
  }
  for (auto [slot, id] : old) {
    std::lock_guard<std::mutex> guard(mutex);
#ifdef FIXED
    if (slots[slot].id != id) continue;
#else
    (void)id;
#endif
    if (slots[slot].state == Slot::kOpen) slots[slot].state = Slot::kAborted;
  }
}

int main() {
  auto client = [] {
    for (int i = 0; i < 2; i++)
      if (int slot = Open(); slot >= 0) Commit(slot);
  };
  std::thread a(client), b(client), timer([] { Expire(); }), clock([] { Tick(), Tick(); });
  a.join(), b.join(), timer.join(), clock.join();
}
