// Transfers lock the account they take from, then the one they give to. Two transfers in
// opposite directions can each hold what the other wants.
//
// heddle: check
// expect: verdict=bug kind=deadlock preemptions=1 location=@second
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};

static void Transfer(Account& from, Account& to, int amount) {
  std::lock_guard<std::mutex> first(from.mutex);
  std::lock_guard<std::mutex> second(to.mutex);  // @second
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  Account alice, bob;
  std::thread there([&] { Transfer(alice, bob, 10); });
  std::thread back([&] { Transfer(bob, alice, 20); });
  there.join();
  back.join();
}
