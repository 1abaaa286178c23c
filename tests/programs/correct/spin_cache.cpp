// A loop that writes what it read into a plain variable spins like one that does not (argument 1).
// heddle: check
// expect: verdict=clean complete=true executions<=100
// heddle: check -- 1
// expect: verdict=clean complete=true executions<=100
// Graphs: all looks but the last are in vain, 1.
// traces: 1 enumerated
// traces: 1 enumerated -- 1
#include <atomic>
#include <thread>

static std::atomic<int> published{0};
static int cache;

int main(int argc, char **) {
  std::thread writer([] {
    for (int i = 1; i <= 2; i++) published.store(i, std::memory_order_release);
  });
  if (argc == 1) {
    while ((cache = published.load(std::memory_order_acquire)) != 2) {
    }
  } else {
    while (published.load(std::memory_order_acquire) != 2) {
    }
  }
  writer.join();
}
