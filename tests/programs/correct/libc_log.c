// The C library keeps a socket for messages to the system's log, and reads the time zone's file. One lock in each of two threads,
// C(2,1) = 2.
// heddle: check --reduction none
// expect: verdict=clean complete=true executions=2
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <syslog.h>
#include <time.h>

#include "two_locks.h"

int main() {
  assert(fcntl(20, F_GETFD) == -1);
  openlog("heddle", LOG_NDELAY, LOG_USER);
  setenv("TZ", "Europe/Berlin", 1);
  time_t when = 0;
  assert(localtime(&when));
  FILE *file = tmpfile();
  assert(file && fputs("x", file) == 1 && fseek(file, 0, SEEK_SET) == 0 && getc(file) == 'x');
  FILE *lines = fopen("/etc/passwd", "r");
  assert(lines && getc(lines) != EOF);
  LockInTwoThreads();
}
