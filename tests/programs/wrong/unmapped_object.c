// A mutex, and what else threads share, in memory that was unmapped: an operation on it is a use of that memory.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check -- unlock
// expect: verdict=bug kind=use-after-free location=@unlock message~"main unlocks mutex" message~"was freed by main" executions=1
// heddle: check -- lock
// expect: verdict=bug kind=crash location=@lock executions=1
// heddle: check -- post
// expect: verdict=bug kind=use-after-free location=@post executions=1
// heddle: check -- signal
// expect: verdict=bug kind=use-after-free location=@signal executions=1
// Two critical sections: one unmaps the mutex, the other one locks it. Before it is a use, to lock reads the memory: it crashes.
// heddle: check -- ordered
// expect: verdict=bug kind=crash location=@ordered preemptions=0
// heddle: check --reduction none --order depth-first -- ordered
// expect: verdict=bug kind=crash location=@ordered
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/mman.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* memory;

static void* unmaps(void* unused) {
  pthread_mutex_lock(&mutex);
  munmap(memory, 4096);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* locks(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(memory);  // @ordered
  pthread_mutex_unlock(memory);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (strcmp(mode, "post") == 0) {
    sem_init(memory, 0, 0);
    munmap(memory, 4096);
    sem_post(memory);  // @post
  } else if (strcmp(mode, "signal") == 0) {
    pthread_cond_init(memory, NULL);
    munmap(memory, 4096);
    pthread_cond_signal(memory);  // @signal
  } else {
    pthread_mutex_init(memory, NULL);
  }
  if (strcmp(mode, "unlock") == 0) {
    pthread_mutex_lock(memory);
    munmap(memory, 4096);
    pthread_mutex_unlock(memory);  // @unlock
  }
  if (strcmp(mode, "lock") == 0) {
    munmap(memory, 4096);
    pthread_mutex_lock(memory);  // @lock
  }
  if (strcmp(mode, "ordered") == 0) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, unmaps, NULL);
    pthread_create(&threads[1], NULL, locks, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
  }
  return 0;
}
