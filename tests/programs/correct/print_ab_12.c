// Two threads of two statements each, a scheduling point before every statement: C(4, 2) = 6
// outputs.
// heddle: check --order depth-first --no-races
// expect: verdict=clean complete=true executions=6 outcomes=ab12,a1b2,a12b,1ab2,1a2b,12ab
// Scheduling points conflict with nothing: 1 graph.
// traces: 1 enumerated --no-races
// With statements that are atomic there is no race to leave out.
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
  return 0;
}

int main() {
  RunSame(2, Print);
  heddle_outcome("%s", text);
}
