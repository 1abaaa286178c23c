// The number of a closed descriptor is used once more: by then a pipe may have it, or a copy, or a
// stream. Each way of getting a number, and of giving it back.
// heddle: check
// expect: verdict=bug kind=assertion
// heddle: check -- 1
// expect: verdict=bug kind=assertion
// heddle: check -- 2
// expect: verdict=bug kind=assertion
// heddle: check -- 3
// expect: verdict=bug kind=assertion
// heddle: check --order depth-first --reduction none --keep-going
// expect: verdict=bug kinds=assertion
// heddle: check --reduction optimal --keep-going
// expect: verdict=bug kinds=assertion redundant=0
// heddle: check --reduction happens-before --keep-going
// expect: verdict=bug kinds=assertion
// heddle: check --order depth-first --reduction bounded
// expect: verdict=bug kind=assertion
// heddle: check --visited states
// expect: verdict=uncontrolled
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

static int way, fd;

static void *Other(void *arg) {
  int ends[2] = {-1, -1};
  DIR *directory;
  switch (way) {
    case 0:
      assert(pipe(ends) == 0);
      break;
    case 1:
      assert(dup(0) >= 0);
      break;
    case 2:
      directory = opendir("/");
      assert(directory);
      closedir(directory);
      break;
    case 3:
      assert(eventfd(0, 0) >= 0);
      assert(socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
      break;
  }
  return arg;
}

int main(int argc, char **argv) {
  way = argc > 1 ? atoi(argv[1]) : 0;
  fd = dup(0);
  pthread_t thread;
  pthread_create(&thread, 0, Other, 0);
  close(fd);
  assert(fcntl(fd, F_GETFD) == -1);
  pthread_join(thread, 0);
}
