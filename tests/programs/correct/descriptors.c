// Descriptors, the working directory and the umask are as they were in every execution, whatever
// the last one did; so are numbers, and buffers that the kernel fills may be anywhere.
// heddle: check --keep-going
// expect: verdict=clean complete=true executions>=6
// Graphs: two updates in each thread, C(4,2) = 6.
// traces: 6 enumerated
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "run_threads.h"

static atomic_int x;
static struct stat status;
static struct utsname name;
static char directory[4096], random_bytes[8], first[64];

static void *Add(void *arg) {
  (void)arg;
  x++;
  x++;
  return 0;
}

int main() {
  for (int fd = 0; fd < 3; fd++) assert(fcntl(fd, F_GETFD) >= 0);
  int fd = open("/dev/zero", O_RDONLY);
  assert(fd >= 3 && open("/dev/null", O_RDWR) > fd);  // never closed
  assert(read(fd, first, sizeof first) == sizeof first);
  FILE *file = fopen("/dev/urandom", "r");
  assert(file && fread(random_bytes, 1, sizeof random_bytes, file) == sizeof random_bytes);
  assert(stat("/", &status) == 0 && S_ISDIR(status.st_mode));
  assert(uname(&name) == 0 && name.sysname[0] == 'L');
  assert(getcwd(directory, sizeof directory) && strcmp(directory, "/") != 0);
  assert(chdir("/") == 0);
  assert(umask(0) != 0123 && umask(0123) == 0);
  RunSame(2, Add);
  for (int i = 0; i < 1024; i++) close(i);
  assert(write(1, "x", 1) == -1 && errno == EBADF);
}
