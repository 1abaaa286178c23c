// Writing under a shared lock: the lock is held, but not against the other reader.
// heddle: check
// expect: verdict=bug kind=data-race location=@write
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
