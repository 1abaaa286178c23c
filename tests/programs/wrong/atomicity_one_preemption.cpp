// Check, then act, in two critical sections: one preemption between them overdraws the account.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=assertion preemptions=1 location=@overdrawn
// heddle: check --bound preemptions=0
// expect: verdict=clean
// Graphs, by the order of the sections (B looks, W withdraws): B1 W1 B2 and B2 W2 B1, where the second gives up; both B
// first in two orders, then both W in two: 2 + 4 = 6.
// traces: 6 enumerated --keep-going
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int balance = 100;

static int Balance() {
  std::lock_guard guard(mutex);
  return balance;
}

static void Withdraw(int amount) {
  if (Balance() < amount) return;
  std::lock_guard guard(mutex);
  balance -= amount;
  assert(balance >= 0);  // @overdrawn
}

int main() {
  std::thread first(Withdraw, 80), second(Withdraw, 70);
  first.join();
  second.join();
}
