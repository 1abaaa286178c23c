// A descriptor is closed twice; between the two another thread may have got its number, which is the
// lowest that is free, and its write fails.
// heddle: check
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
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static void *Other(void *arg) {
  int fd = open("/dev/null", O_WRONLY);
  assert(write(fd, "x", 1) == 1);
  close(fd);
  return arg;
}

int main() {
  int fd = dup(0);
  pthread_t thread;
  pthread_create(&thread, 0, Other, 0);
  close(fd);
  close(fd);
  pthread_join(thread, 0);
}
