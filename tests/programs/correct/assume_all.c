// No execution meets the assumption: heddle says so.
// heddle: check --order depth-first --reduction none
// expect: verdict=clean complete=true executions=0 assumed_away=2 redundant=0
// expect: guarantee~"0 executions, and 2 dropped by heddle_assume: none that meets the assumptions"
// heddle: check --order context-bounded --reduction bounded
// expect: verdict=clean complete=true executions=0 assumed_away=3 redundant=0
// traces: 0 enumerated
#include <heddle.h>

int main() {
  heddle_choose(2);
  heddle_assume(0);
}
