// A conversion of the C library that is in a library of its own, which is not known to be one of the C library's: every execution
// runs in a process of its own, in which the library is opened anew.
// heddle: check --reduction none
// expect: incomplete=opened-not-rebuilt executions=2
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
  while (fgets(line, sizeof line, maps)) count += strstr(line, "/gconv/ISO8859-15.so") != 0;
  fclose(maps);
  return count;
}

int main() {
  assert(Mapped() == 0);
  iconv_t conversion = iconv_open("ISO-8859-15", "UTF-8");
  assert(conversion != (iconv_t)-1);
  char in[] = "heddle", out[32], *from = in, *to = out;
  size_t left = sizeof in, room = sizeof out;
  assert(iconv(conversion, &from, &left, &to, &room) == 0 && left == 0);
  assert(Mapped());
  iconv_close(conversion);
  RunSame(2, Lock);
}
