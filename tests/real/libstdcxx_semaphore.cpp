// A lost wake-up in libstdc++ 12 itself: acquire() of a binary_semaphore loads the count it will
// sleep on before it tries to take a permit. When the permit is taken and given back in between,
// it goes to sleep on a count of 1 (libstdc++ bug 104928). A correct program, which hangs after
// two preemptions.
// compilers: gcc clang   std: c++20
// heddle: check --leaks --uninitialised
// expect: verdict=bug kind=deadlock preemptions=2
#include <semaphore>
#include <thread>

static std::binary_semaphore turn(1);

static void Enter() {
  turn.acquire();
  turn.release();
}

int main() {
  std::thread first(Enter), second(Enter);
  first.join();
  second.join();
}
