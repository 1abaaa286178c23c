// Directories that the C library opens, and goes into, by itself. One lock in each of two threads, C(2,1) = 2.
// heddle: check --reduction none
// expect: verdict=clean complete=true executions=2
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <ftw.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int seen;

static int See(const char *path, const struct stat *status, int kind, struct FTW *where) {
  (void)path, (void)status, (void)kind, (void)where;
  return ++seen == 3;
}

static void *Look(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  struct dirent **names;
  int count = scandir("/proc/self/task", &names, 0, alphasort);
  assert(count == 3 || count > 3);
  for (int i = 0; i < count; i++) free(names[i]);
  free(names);
  glob_t found;
  assert(glob("/proc/self/fd*", 0, 0, &found) == 0 && found.gl_pathc == 2);
  globfree(&found);
  return arg;
}

int main() {
  char here[4096], there[4096];
  assert(getcwd(here, sizeof here));
  nftw("/proc/self/fdinfo", See, 4, FTW_CHDIR | FTW_PHYS);
  assert(seen == 3 && getcwd(there, sizeof there));
  assert(strcmp(here, there) == 0);
  assert(chdir("/") == 0);
  RunSame(2, Look);
}
