// Double-checked locking with a plain pointer: the first check races with the store.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=data-race location=@check location=@publish
// Graphs, with racing accesses as scheduling points: who publishes, 2; the other one's first check comes before that or after,
// 2. Reads of what is published come after that, however many the compiler makes of them. 4.
// traces: 4 enumerated --keep-going
#include <mutex>
#include <thread>

static std::mutex mutex;
static int *instance;

static int *Instance() {
  if (!instance) {  // @check
    std::lock_guard guard(mutex);
    static int object = 3;
    if (!instance) instance = &object;  // @publish
  }
  return instance;
}

int main() {
  std::thread first(Instance), second(Instance);
  first.join();
  second.join();
}
