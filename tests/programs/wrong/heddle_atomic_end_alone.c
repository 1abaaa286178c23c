// An atomic section is ended that was not begun.
// heddle: check
// expect: verdict=bug kind=misuse preemptions=0 location=@end message~"has not begun"
// One thread: 1 execution.
// traces: 1 enumerated --keep-going
#include <heddle.h>

int main() {
  heddle_atomic_begin();
  heddle_atomic_end();
  heddle_atomic_end();  // @end
}
