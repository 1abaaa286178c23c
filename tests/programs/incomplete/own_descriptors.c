// A thread asks for a table of descriptors of its own.
// heddle: check
// expect: incomplete=own-descriptors
#define _GNU_SOURCE
#include <linux/close_range.h>
#include <unistd.h>

#include "run_threads.h"

static void *Unshare(void *arg) {
  close_range(100, 101, CLOSE_RANGE_UNSHARE);
  return arg;
}

int main() { RunSame(2, Unshare); }
