// A thread spins on a word until another one stores to a byte of it, or waits for the word on a
// futex: the store to the byte wakes it. With the futex there are two orders: the wait finds the
// byte stored, or sleeps until the wake.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check --memory-model sc
// expect: verdict=clean complete=true
// heddle: check
// expect: verdict=incomplete bugs=0
// heddle: check --points all
// expect: verdict=clean complete=true
// heddle: check --order depth-first -- futex
// expect: verdict=clean complete=true
// traces: 2 enumerated -- futex
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <thread>

static union {
  uint32_t word;
  uint8_t bytes[4];
} u;

static void Wait() {
  while (__atomic_load_n(&u.word, __ATOMIC_SEQ_CST) == 0) {
  }
}

static void WaitOnFutex() { syscall(SYS_futex, &u.word, FUTEX_WAIT_PRIVATE, 0, nullptr); }

static void Store() { __atomic_store_n(&u.bytes[1], 1, __ATOMIC_SEQ_CST); }

static void StoreAndWake() {
  Store();
  syscall(SYS_futex, &u.word, FUTEX_WAKE_PRIVATE, 1);
}

int main(int argc, char **) {
  std::thread wait(argc > 1 ? WaitOnFutex : Wait);
  std::thread store(argc > 1 ? StoreAndWake : Store);
  wait.join();
  store.join();
}
