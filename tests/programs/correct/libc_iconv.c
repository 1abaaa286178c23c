// The C library maps the list of its conversions at the first one, and keeps it; heddle unmaps it after each execution, if it was
// not there before. A conversion that is in a library makes every execution run in a process of its own: incomplete/libc_iconv_library.c.
// One lock in each of two threads, C(2,1) = 2.
// heddle: check --reduction none
// expect: verdict=clean complete=true executions=2
#include <assert.h>
#include <iconv.h>
#include <stdio.h>
#include <string.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *Lock(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return arg;
}

static int Mapped(void) {
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[1024];
  int count = 0;
  assert(maps);
  while (fgets(line, sizeof line, maps)) count += strstr(line, "gconv-modules") != 0;
  fclose(maps);
  return count;
}

int main() {
  assert(Mapped() <= 1);
  iconv_t conversion = iconv_open("UCS-4", "UTF-8");
  assert(conversion != (iconv_t)-1);
  char in[] = "heddle", out[32], *from = in, *to = out;
  size_t left = sizeof in, room = sizeof out;
  assert(iconv(conversion, &from, &left, &to, &room) == 0 && left == 0);
  assert(Mapped() == 1);
  iconv_close(conversion);
  RunSame(2, Lock);
}
