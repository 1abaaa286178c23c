// Writing under a shared lock: the lock is held, but not against the other reader.
// heddle: check
// expect: verdict=bug kind=data-race location=@write
// Graphs: readers commute; a read and a write of each thread, scheduling points once they have raced: one thread first,
// 2, or both read first and write in two orders, 2. 4.
// traces: 4 enumerated --keep-going
#include <shared_mutex>
#include <thread>

static std::shared_mutex mutex;
static int hits;

static void Look() {
  std::shared_lock lock(mutex);
  hits++;  // @write
}

int main() {
  std::thread first(Look), second(Look);
  first.join();
  second.join();
}
