// The Chase-Lev way, but the owner forgets to put `bottom` back after it lost the last item to
// the thief: the next item that it pushes is never seen again.
// heddle: check
// expect: verdict=bug kind=assertion preemptions=2 location=@lost
// Graphs: traces.py derives 49.
// traces: 49 --keep-going
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> items[4];
static std::atomic<int> top{0}, bottom{0};
static std::atomic<int> sum{0};

static void Push(int item) {
  int b = bottom;
  items[b % 4] = item;
  bottom = b + 1;
}

static int Pop() {
  int b = bottom - 1;
  bottom = b;
  int t = top;
  if (t > b) {
    bottom = b + 1;
    return 0;
  }
  int item = items[b % 4];
  if (t < b) return item;
  bool won = top.compare_exchange_strong(t, t + 1);
  if (!won) return 0;  // bottom stays one too low
  bottom = b + 1;
  return item;
}

static int Steal() {
  int t = top, b = bottom;
  if (t >= b) return 0;
  int item = items[t % 4];
  return top.compare_exchange_strong(t, t + 1) ? item : 0;
}

int main() {
  Push(1);
  std::thread thief([] { sum += Steal(); });
  std::thread owner([] {
    sum += Pop();
    Push(2);
    sum += Pop();
  });
  thief.join();
  owner.join();
  assert(sum == 3);  // @lost
}
