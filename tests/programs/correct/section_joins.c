// A join in an atomic section, or after heddle_done: if the thread has ended, what comes after it is part of the same step;
// if not, another thread may see what came before it alone. S: 3 places of Z's two loads beside a step that stores both
// variables; 2 * 2 where S has to wait between the two: 7.
// heddle: check -- section
// expect: verdict=clean complete=true executions=7 happens_before=7 outcomes=x0y0,x0y1,x1y0,x1y1
// heddle: check -- done
// expect: verdict=clean complete=true executions=7 happens_before=7 outcomes=x0y0,x0y1,x1y0,x1y1
// heddle: check --reduction none -- section
// expect: verdict=clean complete=true happens_before=7 outcomes=x0y0,x0y1,x1y0,x1y1
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int x, y, z;
static pthread_t thread;
static int seen_x, seen_y, done;

static void *T(void *arg) {
  z = 1;
  return arg;
}

static void *S(void *arg) {
  if (done)
    heddle_done();
  else
    heddle_atomic_begin();
  x = 1;
  pthread_join(thread, 0);
  y = 1;
  if (!done) heddle_atomic_end();
  return arg;
}

static void *Z(void *arg) {
  seen_x = x;
  seen_y = y;
  return arg;
}

int main(int argc, char **argv) {
  pthread_t s, z_thread;
  done = argc > 1 && strcmp(argv[1], "done") == 0;
  pthread_create(&thread, 0, T, 0);
  pthread_create(&s, 0, S, 0);
  pthread_create(&z_thread, 0, Z, 0);
  pthread_join(s, 0);
  pthread_join(z_thread, 0);
  heddle_outcome("x%dy%d", seen_x, seen_y);
}
