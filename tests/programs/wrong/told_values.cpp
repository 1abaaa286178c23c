// What the report tells of values and objects: a local variable of another thread, a block of the heap whose type a
// pointer tells, its members, a double, an enumerator and a pointer; and of a lost update the reads that it comes from.
// compilers: gcc clang   opt: -O0 -O1
// heddle: check --reduction optimal
// expect: verdict=bug kind=assertion preemptions=1 location=@lost step="reads till.cents: 100" step="writes till.cents: 150"
// expect: step="writes till.cents: 170" step="stores shelf: Item#1" step="loads shelf: Item#1" step="writes rate: 1.7"
// expect: step="frees Item#1" step="stores state: kOpen" step="locks mutex till.mutex" block="Item#1: 16 bytes by main"
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Item {
  long number;
  double price;
};

enum State { kClosed, kOpen };

struct Till {
  std::mutex mutex;
  long cents = 0;
};

// Not static, or the compilers leave out writes that nobody reads.
std::atomic<Item*> shelf{nullptr};
std::atomic<State> state{kClosed};
double sold, rate;

static long Read(Till& till) {
  std::lock_guard<std::mutex> guard(till.mutex);
  return till.cents;
}

static void Write(Till& till, long cents) {
  std::lock_guard<std::mutex> guard(till.mutex);
  till.cents = cents;
  rate = static_cast<double>(cents) / 100;
}

static void Sell(Till& till) {
  sold = shelf.load()->price;
  Write(till, Read(till) + 50);
}

int main() {
  Till till;
  state = kOpen;
  std::thread returns([&till] { Write(till, Read(till) + 70); });
  {
    std::lock_guard<std::mutex> guard(till.mutex);
    till.cents = 100;
    rate = 1;
  }
  Item* item = new Item{7, 1.5};
  shelf = item;
  std::thread sells([&till] { Sell(till); });
  returns.join();
  sells.join();
  const long cents = Read(till);
  delete item;
  assert(cents != 150 && cents != 170);  // @lost
}
