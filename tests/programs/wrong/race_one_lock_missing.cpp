// Four accesses are locked, one is not.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=data-race location=@unlocked
// Graphs: the read without lock before or after the first deposit's write, 2. The second deposit comes after the first.
// traces: 2 enumerated --keep-going
#include <mutex>
#include <thread>

static std::mutex mutex;
static long balance = 100;

static void Deposit() {
  std::lock_guard guard(mutex);
  balance += 10;
}

static long Read() {
  return balance;  // @unlocked
}

int main() {
  std::thread first(Deposit), second([] {
    if (Read() > 100) Deposit();
  });
  first.join();
  second.join();
}
