// Sixteen diners at two tables, with a waiter for each that lets at most all but one sit. The waiter of the second table counts the chairs of the first.
// Interleaving: all four of the second table have their left fork. One of them is interrupted, and the others come in the order in which each waits
// for the one before. The first table's twelve only make work for the search.
// bug: preemptions=1 threads=17
// heddle: check --order random --seed 1 --no-minimise
// expect: verdict=bug kind=deadlock
// fixed: check --order random --executions 1000
// expect: verdict=incomplete bugs=0
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

class Waiter {
 public:
  explicit Waiter(int chairs) : chairs_(chairs) {}
  void Sit() {
    std::unique_lock<std::mutex> lock(mutex_);
    left_.wait(lock, [this] { return seated_ < chairs_ - 1; });
    seated_++;
  }
  void Leave() {
    std::lock_guard<std::mutex> guard(mutex_);
    seated_--;
    left_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable left_;
  int chairs_, seated_ = 0;
};

static constexpr int kLarge = 12, kSmall = 4;
static std::mutex large_forks[kLarge], small_forks[kSmall];
static Waiter large_waiter(kLarge);
#ifdef FIXED
static Waiter small_waiter(kSmall);
#else
static Waiter small_waiter(kLarge);
#endif

static void Dine(Waiter &waiter, std::mutex *forks, int chairs, int self) {
  waiter.Sit();
  {
    std::lock_guard<std::mutex> left(forks[self]), right(forks[(self + 1) % chairs]);
  }
  waiter.Leave();
}

int main() {
  std::vector<std::thread> diners;
  for (int i = 0; i < kLarge; i++) diners.emplace_back([i] { Dine(large_waiter, large_forks, kLarge, i); });
  for (int i = 0; i < kSmall; i++) diners.emplace_back([i] { Dine(small_waiter, small_forks, kSmall, i); });
  for (auto &diner : diners) diner.join();
}
