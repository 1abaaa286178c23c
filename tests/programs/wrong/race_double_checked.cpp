// Double-checked locking with a plain pointer: the first check races with the store.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=data-race location=@check location=@publish
// No number of graphs is stated: how often the pointer is read is the compiler's matter.
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
