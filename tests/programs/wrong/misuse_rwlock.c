// A read-write lock is unlocked by a thread that does not hold it, though another one does; and
// destroyed while it is held.
// heddle: check -- unlock
// expect: verdict=bug kind=misuse location=@unlock
// expect: message~"T2 unlocks read-write lock, which it has not locked"
// heddle: check -- destroy
// expect: verdict=bug kind=misuse location=@destroy message~"while it is locked"
// Traces: readers commute, so what is unlocked in error (a write, as who holds it for writing might have made it) sees the
// reader before its lock, between, or after its unlock: 3. The try comes before the reader, 1, or after it, 1, and
// succeeds; or between, and then the destruction comes before the unlock or after it, 2. 4.
// Graphs: the unlock in error ends the program when the reader has made each of its remaining steps or not: 3 + 2 + 1.
// So does the destruction between the reader's two, 2 for 1: 5. Where the try succeeds first, the reader never locks.
// traces: 3 --keep-going -- unlock
// traces: 4 --keep-going -- destroy
// graphs: 6 --keep-going -- unlock
// graphs: 5 --keep-going -- destroy
#include <string.h>

#include "run_threads.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *Read(void *arg) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  return arg;
}

static void *Unlock(void *arg) {
  if (pthread_rwlock_tryrdlock(&lock) == 0) pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);  // @unlock
  return arg;
}

static void *Destroy(void *arg) {
  pthread_rwlock_trywrlock(&lock);
  pthread_rwlock_destroy(&lock);  // @destroy
  return arg;
}

int main(int argc, char **argv) {
  int unlock = argc == 2 && strcmp(argv[1], "unlock") == 0;
  RunThreads(2, (Body[]){Read, unlock ? Unlock : Destroy});
}
