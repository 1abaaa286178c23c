// A once flag lives where it is declared: a new one in the same memory runs its routine again,
// and one left by pthread_exit has not run.
// compilers: gcc clang
// heddle: check
// expect: verdict=clean complete=true
// No two threads at once: 1 execution.
// traces: 1 enumerated
#include <pthread.h>

#include <cassert>
#include <mutex>
#include <thread>

static pthread_once_t leaving = PTHREAD_ONCE_INIT;
static int calls, exits;

static void OnceHere() {
  std::once_flag flag;
  for (int i = 0; i < 2; i++) std::call_once(flag, [] { calls++; });
}

static void ExitInside() {
  exits++;
  pthread_exit(nullptr);
}

static void *Leave(void *) {
  pthread_once(&leaving, ExitInside);
  return nullptr;
}

int main() {
  OnceHere();
  OnceHere();
  assert(calls == 2);
  for (int i = 0; i < 2; i++) {
    pthread_t thread;
    pthread_create(&thread, nullptr, Leave, nullptr);
    pthread_join(thread, nullptr);
  }
  assert(exits == 2);
}
