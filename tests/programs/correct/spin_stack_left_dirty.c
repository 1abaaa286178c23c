// A loop that waits remembers on the stack what it saw the last eight times; and where it does, the last execution left the
// very value that it sees now. A stack that is compared is as new when an execution begins, so each of the first eight looks
// changes the state, and the ninth waits: zero to eight looks in vain, 9 graphs, in this process as in a process of its own.
// (2 when 8 KiB of a stack were cleared, and from the first comparison on only: the second look was the last.)
// opt: -O0
// heddle: check --reduction none --rewind memory
// expect: verdict=clean complete=true happens_before=9
// heddle: check --reduction none --rewind fork
// expect: verdict=clean complete=true happens_before=9
// heddle: check --reduction none --rewind memory -- deep
// expect: verdict=clean complete=true happens_before=9
// traces: 9 enumerated
// traces: 9 enumerated -- deep
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { kRemembered = 8, kDeep = 32 << 10, kRoom = 4 << 10 };

static atomic_int flag = 7;
static int sum;

// What it remembers lies below what heddle's own calls use of the stack.
__attribute__((noinline)) static void Await(void) {
  int room[kRoom], *const seen = room + kRoom / 2;
  for (int now; (now = atomic_load(&flag)) != 1;) {
    for (int i = kRemembered - 1; i > 0; --i) seen[i] = seen[i - 1];
    seen[0] = now;
  }
}

__attribute__((noinline)) static void LeaveSevens(void) {
  int room[kRoom];
  for (int i = 0; i < kRoom; ++i) room[i] = 7;
  sum += room[0];
}

__attribute__((noinline)) static void AwaitFurtherDown(void) {
  char room[kDeep];
  memset(room, 0, sizeof room);
  Await();
  LeaveSevens();
}

static void *Wait(void *deep) {
  if (deep != 0) {
    AwaitFurtherDown();
  } else {
    Await();
    LeaveSevens();
  }
  return 0;
}

int main(int argc, char **argv) {
  pthread_t thread;
  pthread_create(&thread, 0, Wait, argc > 1 ? argv[1] : 0);
  atomic_store(&flag, 1);
  pthread_join(thread, 0);
  return 0;
}
