// A choice is an operation of its own: what follows it (here the destruction of a mutex, for one option only) is no part of
// the step before. Found are the mutex destroyed while it is locked and locked after it was destroyed, whoever comes first.
// 4 traces: B's lock and unlock, and for the other option the destruction before, between and after them.
// Graphs: 5, for where the mutex is destroyed while it is locked, that misuse ends the program before the unlock or after it.
// traces: 4 --keep-going
// traces: 4 --keep-going -- 1
// graphs: 5 --keep-going
// graphs: 5 --keep-going -- 1
// heddle: check --keep-going
// expect: verdict=bug complete=true bugs=2 kind=misuse message~"destroys mutex m, which" kind=misuse message~"which was destroyed by"
// heddle: check --keep-going -- 1
// expect: verdict=bug complete=true bugs=2 kind=misuse message~"destroys mutex m, which" kind=misuse message~"which was destroyed by"
// heddle: check --keep-going --order depth-first --reduction none
// expect: verdict=bug complete=true bugs=2 kind=misuse message~"destroys mutex m, which" kind=misuse message~"which was destroyed by"
#include <heddle.h>
#include <pthread.h>
#include <atomic>
static std::atomic<int> x{0};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void* A(void*) {
  x.load();
  if (heddle_choose(2) == 1) pthread_mutex_destroy(&m);
  return nullptr;
}
static void* B(void*) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return nullptr;
}
int main(int argc, char**) {
  pthread_t a, b;
  if (argc > 1) { pthread_create(&b, nullptr, B, nullptr); pthread_create(&a, nullptr, A, nullptr); }
  else { pthread_create(&a, nullptr, A, nullptr); pthread_create(&b, nullptr, B, nullptr); }
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}
