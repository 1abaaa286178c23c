// Transfers lock two accounts in the order of their balances, "the richer one first", so that there can be no cycle. But a balance
// changes: two transfers that looked at different times see different orders.
// Interleaving: one transfer has decided on its order; another one changes who is the richer; a third one decides on the other order, and
// each takes its first lock.
// bug: preemptions=2 threads=4
// heddle: check
// expect: verdict=bug kind=deadlock
// fixed: check
// expect: verdict=clean complete=true
#include <atomic>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  std::atomic<int> balance;
};

static Account accounts[3] = {{{}, {30}}, {{}, {20}}, {{}, {10}}};

static void Transfer(int from, int to, int amount) {
#ifdef FIXED
  bool from_first = from < to;
#else
  bool from_first = accounts[from].balance >= accounts[to].balance;
#endif
  Account &first = accounts[from_first ? from : to], &second = accounts[from_first ? to : from];
  std::lock_guard<std::mutex> one(first.mutex), two(second.mutex);
  accounts[from].balance -= amount;
  accounts[to].balance += amount;
}

int main() {
  std::thread a(Transfer, 0, 1, 5);   // 0 is the richer: 0, 1
  std::thread b(Transfer, 0, 2, 20);  // afterwards 1 is
  std::thread c(Transfer, 1, 0, 1);   // then: 1, 0
  a.join(), b.join(), c.join();
}
