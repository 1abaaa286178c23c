// A lock-free sorted list. To remove a node its successor must be marked in its own link first; this one swings the predecessor's link only.
// Interleaving: one thread has found the node to remove and read its successor; another inserts right behind that node; the removal swings
// the link over both: the insert is lost. Or two neighbours are removed at once, and one of them stays.
// bug: preemptions=1 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <stdatomic.h>

#include "run_threads.h"

enum { kNodes = 8, kEnd = 7, kMark = 64 };

static atomic_int next[kNodes];
static const int keys[kNodes] = {0, 10, 20, 30, 5, 15, 25, 100};

static int Find(int key, int *before) {
  *before = 0;
  int at = next[0] & ~kMark;
  while (keys[at] < key) {
    *before = at;
    at = next[at] & ~kMark;
  }
  return at;
}

static void Insert(int node) {
  for (;;) {
    int before, at = Find(keys[node], &before);
    next[node] = at;
    if (atomic_compare_exchange_strong(&next[before], &at, node)) return;
#ifdef FIXED
    // The predecessor is being removed: take it out, whoever it is.
    int link = next[before];
    if (link & kMark) {
      int ahead, it = Find(keys[before], &ahead);
      if (it == before) atomic_compare_exchange_strong(&next[ahead], &it, link & ~kMark);
    }
#endif
  }
}

static void Remove(int key) {
  for (;;) {
    int before, at = Find(key, &before);
    if (keys[at] != key) return;
    int after = next[at];
#ifdef FIXED
    if (!(after & kMark) && !atomic_compare_exchange_strong(&next[at], &after, after | kMark)) continue;
    after &= ~kMark;
    if (!atomic_compare_exchange_strong(&next[before], &at, after)) {
      int link = next[before];
      int ahead, it = Find(keys[before], &ahead);
      if ((link & kMark) && it == before) atomic_compare_exchange_strong(&next[ahead], &it, link & ~kMark);
      continue;
    }
    return;
#else
    if (atomic_compare_exchange_strong(&next[before], &at, after)) return;
#endif
  }
}

static void *One(void *arg) {
  Insert(5);
  return arg;
}

static void *Two(void *arg) {
  Remove(10);
  Insert(4);
  return arg;
}

static void *Three(void *arg) {
  Remove(20);
  return arg;
}

int main() {
  next[0] = 1, next[1] = 2, next[2] = 3, next[3] = kEnd;
  RunThreads(3, (Body[]){One, Two, Three});
  int seen[5] = {0, 4, 5, 3, kEnd}, at = 0;
  for (int i = 0; i < 5; i++) {
    assert(at == seen[i]);
    at = next[at] & ~kMark;
  }
}
