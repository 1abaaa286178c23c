// std::call_once: a call that throws does not count, the next one does, and everybody waits for it.
// compilers: gcc clang
// heddle: check --bound preemptions=2
// expect: verdict=clean
// Graphs: either thread makes the call that throws, and either the next one: 4.
// traces: 4 enumerated
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::once_flag flag;
static int tries, done;  // ordered by the flag

static void Init() {
  if (++tries == 1) throw std::runtime_error("not yet");
  done++;
}

static void Use() {
  for (bool called = false; !called;) {
    try {
      std::call_once(flag, Init);
      called = true;
    } catch (const std::runtime_error &) {
    }
  }
  assert(done == 1);
}

int main() {
  std::thread first(Use), second(Use);
  first.join();
  second.join();
  assert(tries == 2);
}
