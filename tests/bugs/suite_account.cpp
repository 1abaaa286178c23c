// "account": deposit and withdrawal of several accounts in sections of their own; the overdraft check adds up in one section and books the fee in
// another.
// Interleaving: the check finds the account overdrawn; a deposit comes, and the fee is booked all the same; only if a second withdrawal brings it
// below again is that right. So the fee is wrong if the deposit lies between check and fee, and the withdrawal does not.
// bug: preemptions=1 threads=6
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int balance = 10;
static bool unjust;

static void Move(int amount) {
  std::lock_guard<std::mutex> guard(mutex);
  balance += amount;
}

static void Check() {
  for (int i = 0; i < 2; i++) {
#ifdef FIXED
    std::lock_guard<std::mutex> guard(mutex);
    if (balance >= 0) continue;
#else
    {
      std::lock_guard<std::mutex> guard(mutex);
      if (balance >= 0) continue;
    }
    std::lock_guard<std::mutex> guard(mutex);
#endif
    if (balance >= 0) unjust = true;
    balance -= 1;
  }
}

int main() {
  std::thread a(Move, 15), b(Move, -20), c(Check), d(Move, -20), e(Move, 15);
  a.join(), b.join(), c.join(), d.join(), e.join();
  assert(!unjust);
}
