// That the write comes before the read is ordered by the join, too; but accesses might be that only the program orders.
// heddle: check
// expect: incomplete=announced
#include "run_threads.h"

void __tsan_acquire(void* address);
void __tsan_release(void* address);

static int data;

static void* Write(void* arg) {
  data = 1;
  __tsan_release(&data);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, Write, 0);
  pthread_join(thread, 0);
  __tsan_acquire(&data);
  assert(data == 1);
}
