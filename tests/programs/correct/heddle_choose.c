// heddle_choose explores every value, heddle_assume drops the executions it refuses.
// heddle: check --order depth-first
// expect: verdict=clean complete=true outcomes=0,1,3,4
// heddle: check --preset cb-por
// expect: verdict=clean complete=true executions=4 outcomes=0,1,3,4
// Four options are left: 4 executions.
// traces: 4 enumerated
#include <heddle.h>

#include "run_threads.h"

int main() {
  int value = heddle_choose(5);
  heddle_assume(value != 2);
  heddle_outcome("%d", value);
}
