// Loops that yield, sleep or pause between two looks.
// heddle: check --order depth-first --reduction optimal
// expect: verdict=clean complete=true bugs=0 warnings=0
// every search: none
#include <sched.h>
#include <stdatomic.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "run_threads.h"

static atomic_int a, b, c;

static void *Sleep(void *arg) {
  while (!a) usleep(10);
  b = 1;
  return arg;
}

static void *Pause(void *arg) {
  while (!b) __builtin_ia32_pause();
  const struct timespec moment = {0, 1000};
  while (!c) nanosleep(&moment, 0);
  return arg;
}

static void *Yield(void *arg) {
  a = 1;
  while (!b) thrd_yield();
  c = 1;
  return arg;
}

int main() { RunThreads(3, (Body[]){Sleep, Pause, Yield}); }
