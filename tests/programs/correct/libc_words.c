// A process that the C library makes by itself. One lock in each of two threads, C(2,1) = 2.
// heddle: check --reduction none
// expect: verdict=clean complete=true executions=2
#include <assert.h>
#include <string.h>
#include <wordexp.h>

#include "two_locks.h"

int main() {
  wordexp_t words;
  assert(wordexp("$(echo a b)", &words, 0) == 0);
  assert(words.we_wordc == 2 && strcmp(words.we_wordv[1], "b") == 0);
  wordfree(&words);
  LockInTwoThreads();
}
