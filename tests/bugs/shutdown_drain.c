// A server drains before it stops: it closes the door, then waits until no request is under way. A request passes the door, then counts itself.
// Behind a set-up of 500 requests that main makes.
// Interleaving: a request has passed the door and is interrupted; the server closes it, finds no request under way, and frees the session that
// the request uses. There are two doors, main and back, and only the back one has the mistake.
// bug: preemptions=1 threads=5
// heddle: check --order context-bounded
// expect: verdict=bug kind=assertion preemptions=1
// fixed: check --order random --executions 300
// expect: verdict=incomplete bugs=0
#include <stdatomic.h>

#include "run_threads.h"

enum { kWarmUp = 500 };

static atomic_int closed, under_way, sessions_valid = 1, served;

static int FrontDoor(void) {
  atomic_fetch_add(&under_way, 1);
  if (!closed) return 1;
  atomic_fetch_sub(&under_way, 1);
  return 0;
}

static int BackDoor(void) {
#ifdef FIXED
  return FrontDoor();
#else
  if (closed) return 0;
  atomic_fetch_add(&under_way, 1);
  return 1;
#endif
}

static void Serve(int (*door)(void)) {
  if (!door()) return;
  assert(sessions_valid);
  served++;
  atomic_fetch_sub(&under_way, 1);
}

static void *Front(void *arg) {
  for (int i = 0; i < 4; i++) Serve(FrontDoor);
  return arg;
}

static void *Back(void *arg) {
  for (int i = 0; i < 2; i++) Serve(BackDoor);
  return arg;
}

static void *Stop(void *arg) {
  closed = 1;
  while (under_way) {
  }
  sessions_valid = 0;
  return arg;
}

int main() {
  for (int i = 0; i < kWarmUp; i++) Serve(i % 2 ? FrontDoor : BackDoor);
  RunThreads(4, (Body[]){Front, Back, Stop, Front});
}
