// A pipe between threads: a read waits for another thread's write in the scheduler, and what was
// written before the write is seen after the read.
// heddle: check --order depth-first
// expect: verdict=clean complete=true executions=4 outcomes=ab,ba rewind=checkpoint
// With a process for each execution the threads are still threads of one process, and wait for each other the same way.
// heddle: check --order depth-first --rewind fork
// expect: verdict=clean complete=true executions=4 outcomes=ab,ba rewind=fork
// Graphs: all reads and writes of descriptors conflict: two orders of the writes, and the first read comes before or
// after the second write: 4, each one execution.
// graphs: 4
#include <heddle.h>
#include <string.h>
#include <unistd.h>

#include "run_threads.h"

static int ends[2], message;

static void *Write(void *arg) {
  char c = (char)(long)arg;
  if (c == 'a') message = 1;
  assert(write(ends[1], &c, 1) == 1);
  return 0;
}

int main() {
  assert(pipe(ends) == 0);
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, Write, (void *)('a' + i));
  char text[3] = {0};
  for (int i = 0; i < 2; i++) assert(read(ends[0], text + i, 1) == 1);
  assert(message == 1);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(close(ends[1]) == 0);
  assert(read(ends[0], text, 1) == 0);
  heddle_outcome("%s", text[0] == 0 ? "" : text);
}
