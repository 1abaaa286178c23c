// ring ITEMS [TRIES]: a producer hands ITEMS numbers to a consumer through a ring of two slots
// without locks. Each of them looks for room, or for a number, up to TRIES times (9 if not given)
// and then gives up for good.
// Traces, with T for TRIES: T + 1 for one item, (T + 1) (2T + 1) for two, 8T^3 + 10T^2 + T + 1 for
// three; the polynomials are fitted to what plain enumeration counts for T from 2 to 12. Three
// items in nine tries: 6652.
#include <stdatomic.h>
#include <stdbool.h>

#include "start.h"

enum { kSlots = 2, kMostItems = 8, kMostTries = 64 };

static int slots[kSlots];
static atomic_int head, tail;  // how many numbers were taken out, and put in
static int items, tries = 9;

static bool IsRoomAt(int put) {
  for (int i = 0; i < tries; ++i) {
    if (put - head < kSlots) return true;
  }
  return false;
}

static bool IsNumberAt(int taken) {
  for (int i = 0; i < tries; ++i) {
    if (tail > taken) return true;
  }
  return false;
}

static void* ProduceOrConsume(void* arg) {
  if (!arg) {
    for (int put = 0; put < items && IsRoomAt(put); ++put) {
      slots[put % kSlots] = put;
      tail = put + 1;
    }
  } else {
    for (int taken = 0; taken < items && IsNumberAt(taken); ++taken) {
      if (slots[taken % kSlots] != taken) abort();
      head = taken + 1;
    }
  }
  return NULL;
}

int main(int argc, char** argv) {
  items = Number(argv[1], "the number of items", 1, kMostItems);
  if (argc > 2) tries = Number(argv[2], "the number of tries", 1, kMostTries);
  RunThreads(2, ProduceOrConsume);
  return 0;
}
