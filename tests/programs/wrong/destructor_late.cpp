// The destructors of a thread's keys and of its thread_local objects run when it ends, which may be after what they use is
// gone: here after main has taken it back.
// heddle: check
// expect: verdict=bug kind=assertion
// heddle: check -- key
// expect: verdict=bug kind=assertion
// heddle: check --reduction optimal
// expect: verdict=bug kind=assertion
// heddle: check --reduction happens-before -- key
// expect: verdict=bug kind=assertion
// heddle: check --order depth-first --reduction none -- key
// expect: verdict=bug kind=assertion
// heddle: check --order depth-first --reduction bounded
// expect: verdict=bug kind=assertion
#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <cassert>

static std::atomic<int> loaded{1};
static sem_t used;
static pthread_key_t key;
static bool by_key;

struct Last {
  int value = 1;
  ~Last() { assert(loaded); }
};
static thread_local Last last;

static void *Use(void *arg) {
  if (by_key)
    pthread_setspecific(key, &used);
  else
    last.value = 2;
  sem_post(&used);
  return arg;
}

int main(int argc, char **) {
  by_key = argc > 1;
  sem_init(&used, 0, 0);
  pthread_key_create(&key, [](void *) { assert(loaded); });
  pthread_t thread;
  pthread_create(&thread, nullptr, Use, nullptr);
  sem_wait(&used);
  loaded = 0;
  pthread_join(thread, nullptr);
  sem_destroy(&used);
}
