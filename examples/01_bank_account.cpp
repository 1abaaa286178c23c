// A bank account whose every member function is locked, and which can still be overdrawn. Two
// withdrawals that each look at the balance first are fine one after the other, in either order.
// What if one comes between the look and the withdrawal of the other? Run a thousand times, this
// program shows no problem.
//
//   heddle-c++ -g 01_bank_account.cpp -o bank && heddle check ./bank
//
// heddle: check
// expect: verdict=bug kind=assertion preemptions=1 location=@overdrawn
#include <cassert>
#include <mutex>
#include <thread>

class Account {
 public:
  explicit Account(int balance) : balance_(balance) {}

  int Balance() {
    std::lock_guard<std::mutex> guard(mutex_);
    return balance_;
  }

  void Withdraw(int amount) {
    std::lock_guard<std::mutex> guard(mutex_);
    balance_ -= amount;
  }

 private:
  std::mutex mutex_;
  int balance_;
};

static void PayFrom(Account& account, int amount) {
  if (account.Balance() >= amount) account.Withdraw(amount);
}

int main() {
  Account account(100);
  std::thread rent([&] { PayFrom(account, 80); });
  std::thread food([&] { PayFrom(account, 30); });
  rent.join();
  food.join();
  assert(account.Balance() >= 0);  // @overdrawn
}
