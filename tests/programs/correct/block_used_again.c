// Memory that was freed is allocated again, by the same thread and by others, after more was freed than is kept apart: it is new then.
// compilers: gcc clang
// heddle: check --executions 4 -- blocks
// expect: bugs=0
// heddle: check --no-races --executions 4 -- blocks
// expect: bugs=0
// heddle: check -- pages
// expect: bugs=0
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "run_threads.h"

enum { kBytes = 60000, kBlocks = 1200 };  // 72 MB

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *passed;
static int maps;

static void UseManyBlocks(void) {
  char *before = 0;
  for (int i = 0; i < kBlocks; ++i) {
    char *block = malloc(kBytes);
    block[0] = block[kBytes - 1] = (char)i;
    if (before) assert(before[0] == (char)(i - 1));
    free(before);
    before = block;
  }
  free(before);
}

static void *Use(void *arg) {
  if (arg == 0 && !maps) UseManyBlocks();
  pthread_mutex_lock(&mutex);
  char *mine = passed;
  passed = 0;
  if (mine) mine[1] = 1;
  free(mine);
  char *other = realloc(0, 10);
  other = realloc(other, 1000);
  memset(other, 1, 1000);
  for (int i = 0; i < 3 * maps; ++i) {  // mapped where the last one was
    char *pages = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pages[0] = pages[8191] = 1;
    munmap(pages, 8192);
  }
  passed = other;
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(int count, char **arguments) {
  assert(count == 2);
  maps = *arguments[1] == 'p';
  if (!maps) UseManyBlocks();
  RunSame(2, Use);
  free(passed);
}
