// A bank with a lock for each account, and an audit that adds them up one by one. Money that is moved from an account not yet counted to one
// that was is missing; money that goes the other way is counted twice.
// The audit is repeated until two sums agree, which hides most of it: two transfers must deceive it in the same way.
// Right: the audit holds all locks.
// bug: preemptions=3 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <cassert>
#include <mutex>
#include <thread>

static constexpr int kAccounts = 4, kMoney = 100;
static std::mutex mutexes[kAccounts];
static int balance[kAccounts];

static void Transfer(int from, int to, int amount) {
  std::scoped_lock both(mutexes[from < to ? from : to], mutexes[from < to ? to : from]);
  balance[from] -= amount;
  balance[to] += amount;
}

static int Sum() {
  int sum = 0;
#ifdef FIXED
  for (auto &mutex : mutexes) mutex.lock();
  for (int account : balance) sum += account;
  for (auto &mutex : mutexes) mutex.unlock();
#else
  for (int i = 0; i < kAccounts; i++) {
    std::lock_guard<std::mutex> guard(mutexes[i]);
    sum += balance[i];
  }
#endif
  return sum;
}

int main() {
  for (int &account : balance) account = kMoney;
  std::thread a([] { Transfer(3, 0, 5), Transfer(3, 0, 5); });
  std::thread b([] { Transfer(1, 2, 10); });
  std::thread audit([] {
    int first = Sum();
    if (Sum() == first) assert(first == kAccounts * kMoney);
  });
  a.join(), b.join(), audit.join();
}
