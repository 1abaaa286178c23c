// print(ab) || print(12), the example of the One Page Model Checker (section 2.1): six outputs, and
// which of them comes depends on the order, which is a race condition (section 6). Depth first the
// first schedule is ab12. The second one differs from it before its last choice, after the first
// statement of T1: a12b. No counter that it comes to is known until both have ended.
// heddle: check --preset one-page
// expect: verdict=bug bugs=1 kind=race-condition preemptions=1 location=@done other=true execution=2
// Going on behind it, what differs is another state: all outputs are there.
// heddle: check --preset one-page --keep-going
// expect: verdict=bug kind=race-condition outcomes=ab12,a1b2,a12b,1ab2,1a2b,12ab
// All memory compared, in place of what is named.
// heddle: check --preset one-page --keep-going -- all
// expect: verdict=bug kind=race-condition outcomes=ab12,a1b2,a12b,1ab2,1a2b,12ab
// The outputs alone.
// heddle: check --order depth-first --points hooks
// expect: verdict=clean complete=true executions=6 outcomes=ab12,a1b2,a12b,1ab2,1a2b,12ab hooks=8
#include <heddle.h>

#include "run_threads.h"

static char text[5];
static int length;

static void *Print(void *arg) {
  const char *mine = arg ? "12" : "ab";
  for (int i = 0; i < 2; i++) {
    heddle_hook();
    text[length++] = mine[i];
  }
  heddle_done();  // @done
  return 0;
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc == 1) {
    heddle_shared(text, sizeof text);
    heddle_shared(&length, sizeof length);
  }
  RunSame(2, Print);
  heddle_outcome("%s", text);
}
