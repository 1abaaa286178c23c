// What stdio closes and opens by itself is put back before the next execution: standard input and output that are closed, and a
// standard stream that gets another file.
// heddle: check
// expect: verdict=clean complete=true rewind=checkpoint
// Graphs: two updates in each thread, C(4,2) = 6.
// traces: 6 enumerated
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "run_threads.h"

static atomic_int x;

static void *Update(void *arg) {
  x++;
  x++;
  return arg;
}

int main() {
  for (int number = 0; number < 3; number++) assert(fcntl(number, F_GETFD) >= 0);
  char byte;
  assert(read(2, &byte, 0) <= 0);
  RunSame(2, Update);
  assert(fclose(stdin) == 0);
  assert(fcntl(0, F_GETFD) < 0);
  assert(freopen("/dev/zero", "r", stderr) == stderr && fgetc(stderr) == 0);
  DIR *directory = fdopendir(open("/", O_RDONLY | O_DIRECTORY));
  assert(directory && dirfd(directory) == 0 && closedir(directory) == 0);
  assert(fclose(stdout) == 0);
  assert(fcntl(1, F_GETFD) < 0);
}
