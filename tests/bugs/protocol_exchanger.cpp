// An exchanger: two threads that meet swap their items, by one slot with a state. The second to come takes the first one's item, leaves its own, and
// sets the state to "answered"; the first takes it and sets it to "empty". A third thread that comes meanwhile waits for "empty".
// The bug: the first one frees the slot before it takes the item.
// Interleaving: the slot is free and the item not taken when a third thread comes and leaves its own there.
// bug: preemptions=1 threads=5
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 500
// expect: verdict=incomplete bugs=0
#include <atomic>
#include <cassert>
#include <thread>

enum { kEmpty, kFilling, kOffered, kAnswering, kAnswered };
static std::atomic<int> state{kEmpty}, slot{0};

static int Exchange(int mine) {
  for (;;) {
    int now = kEmpty;
    if (state.compare_exchange_strong(now, kFilling)) {
      slot = mine;
      state = kOffered;
      while (state != kAnswered) {
      }
#ifdef FIXED
      int theirs = slot;
      state = kEmpty;
#else
      state = kEmpty;
      int theirs = slot;
#endif
      return theirs;
    }
    now = kOffered;
    if (state.compare_exchange_strong(now, kAnswering)) {
      int theirs = slot;
      slot = mine;
      state = kAnswered;
      return theirs;
    }
  }
}

static std::atomic<int> received[4];

int main() {
  std::thread threads[4];
  for (int i = 0; i < 4; i++)
    threads[i] = std::thread([i] {
      int theirs = Exchange(i);
      assert(theirs != i && received[theirs]++ == 0);
    });
  for (auto &thread : threads) thread.join();
}
