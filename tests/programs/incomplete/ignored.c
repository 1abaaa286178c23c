// Two threads write to one counter unlocked, and ask that nobody looks.
// heddle: check
// expect: incomplete=ignored
#include "run_threads.h"

void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);

static int counter;

static void* Count(void* arg) {
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  counter = 1;
  AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  return arg;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, Count, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
}
