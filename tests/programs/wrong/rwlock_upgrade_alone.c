// A reader that wants to write waits for itself, whoever else reads.
// heddle: check
// expect: verdict=bug kind=deadlock thread=T1 location=@upgrade message~"self-deadlock: T1 waits at rwlock_upgrade_alone.c:" message~"for read-write lock table, which it holds itself for reading"
// heddle: check -- both
// expect: verdict=bug kind=deadlock message~"which it holds itself for reading, as does T"
#include "run_threads.h"

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static int both;

static void *Upgrade(void *arg) {
  (void)arg;
  pthread_rwlock_rdlock(&table);
  pthread_rwlock_wrlock(&table);  // @upgrade
  pthread_rwlock_unlock(&table);
  pthread_rwlock_unlock(&table);
  return 0;
}

static void *Read(void *arg) {
  if (both) return Upgrade(arg);
  pthread_rwlock_rdlock(&table);
  pthread_rwlock_unlock(&table);
  return 0;
}

int main(int argc, char **argv) {
  (void)argv;
  both = argc > 1;
  RunThreads(2, (Body[]){Upgrade, Read});
}
