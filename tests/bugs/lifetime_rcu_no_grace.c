// A configuration that is replaced by pointer, and the old one freed when a counter of readers is 0. The updater reads the counter before
// it replaces the pointer.
// Interleaving: the updater sees no reader; a reader counts itself and loads the old pointer; the updater replaces it and takes the old
// one back; the reader uses it.
// bug: preemptions=2 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <stdatomic.h>

#include "run_threads.h"

typedef struct {
  atomic_int valid, value;
} Config;

static Config configs[3];
static _Atomic(Config *) current = &configs[0];
static atomic_int readers, next_free = 1;

static void *Read(void *arg) {
  for (int i = 0; i < 2; i++) {
    atomic_fetch_add(&readers, 1);
    Config *config = current;
    int value = config->value;
    assert(config->valid && value > 0);
    atomic_fetch_sub(&readers, 1);
  }
  return arg;
}

static void *Update(void *arg) {
  for (int i = 1; i < 3; i++) {
    Config *fresh = &configs[i];
    fresh->value = i + 1;
    fresh->valid = 1;
#ifdef FIXED
    Config *old = atomic_exchange(&current, fresh);
    while (readers > 0) {
    }
#else
    while (readers > 0) {
    }
    Config *old = atomic_exchange(&current, fresh);
#endif
    old->valid = 0;
  }
  return arg;
}

int main() {
  configs[0].valid = configs[0].value = 1;
  RunThreads(3, (Body[]){Read, Update, Read});
}
