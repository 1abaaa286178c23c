// What descriptors share, threads tell by any of them: each of these is two steps on one thing, so 2 graphs.
// heddle: check -- contents
// expect: verdict=clean complete=true outcomes=0,1
// heddle: check -- position
// expect: verdict=clean complete=true outcomes=ab,ba
// heddle: check -- flags
// expect: verdict=clean complete=true outcomes=0,1
// heddle: check -- bytes
// expect: verdict=clean complete=true outcomes=0,1
// heddle: check -- input
// expect: verdict=clean complete=true outcomes=ab,ba
// heddle: check -- action
// expect: verdict=clean complete=true outcomes=0,1
// heddle: check -- children
// expect: verdict=clean complete=true outcomes=01,10
// traces: 2 enumerated -- contents
// traces: 2 enumerated -- position
// traces: 2 enumerated -- flags
// traces: 2 enumerated -- bytes
// traces: 2 enumerated -- action
// traces: 2 enumerated -- children
// Files of their own, and parts that are read by offset from copies that somebody made: nothing meets but what the copies share.
// heddle: check -- own
// expect: verdict=clean complete=true outcomes=aa
// traces: 1 enumerated -- own
#define _GNU_SOURCE
#include <fcntl.h>
#include <heddle.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run_threads.h"

static const char *mode;
static int one, other;  // descriptors
static char seen[3];

static int Is(const char *name) { return strcmp(mode, name) == 0; }
static void Handle(int number) { (void)number; }

static void *First(void *arg) {
  if (Is("contents")) assert(pwrite(one, "x", 1, 0) == 1);
  if (Is("position") || Is("own") || Is("input")) assert(read(one, seen, 1) == 1);
  if (Is("flags")) fcntl(one, F_SETFL, O_NONBLOCK);
  if (Is("bytes")) assert(write(other, "x", 1) == 1);
  if (Is("action")) signal(SIGUSR1, Handle);
  if (Is("children")) seen[0] = waitpid(-1, 0, 0) > 0 ? '1' : '0';
  return arg;
}

static void *Second(void *arg) {
  if (Is("contents")) {
    char read_back = 0;
    assert(pread(other, &read_back, 1, 0) == 1);
    seen[0] = read_back == 'x' ? '1' : '0';
  }
  if (Is("position") || Is("own") || Is("input")) assert(read(other, seen + 1, 1) == 1);
  if (Is("flags")) seen[0] = (fcntl(other, F_GETFL) & O_NONBLOCK) != 0 ? '1' : '0';
  if (Is("bytes")) {
    int ready = -1;
    ioctl(one, FIONREAD, &ready);
    seen[0] = (char)('0' + ready);
  }
  if (Is("action")) {
    struct sigaction action;
    sigaction(SIGUSR1, 0, &action);
    seen[0] = action.sa_handler == Handle ? '1' : '0';
  }
  if (Is("children")) seen[1] = waitpid(-1, 0, 0) > 0 ? '1' : '0';
  return arg;
}

static int FileWith(const char *text) {
  const int file = memfd_create("file", 0);
  assert(file >= 0 && write(file, text, strlen(text)) == (long)strlen(text) && lseek(file, 0, SEEK_SET) == 0);
  return file;
}

int main(int count, char **arguments) {
  mode = count > 1 ? arguments[1] : "contents";
  if (Is("contents")) {
    one = FileWith("-");
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", one);
    other = open(path, O_RDONLY);
  } else if (Is("position")) {
    one = FileWith("ab");
    other = dup(one);
  } else if (Is("own")) {
    one = FileWith("ab");
    other = FileWith("ab");
  } else if (Is("flags") || Is("bytes") || Is("input")) {
    int ends[2];
    assert(pipe(ends) == 0);
    one = ends[0];
    other = Is("bytes") ? ends[1] : dup(ends[0]);
    if (Is("input")) assert(write(ends[1], "ab", 2) == 2);
  } else if (Is("children")) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
  }
  assert(other >= 0);
  const Body bodies[] = {First, Second};
  RunThreads(2, bodies);
  heddle_outcome("%s", seen);
}
