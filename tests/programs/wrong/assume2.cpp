// An assumption that never holds: the executions in which it takes effect are dropped and counted, and b's assertion is
// found. S is a's store, A its end; L is b's load and F, if L comes after S, its end. Ended by F: S L F (in enumeration
// A and F stand beside each other). Ended by A: S A, S L A, L S A.
// heddle: check --keep-going --order depth-first --reduction none
// expect: verdict=bug complete=true executions=1 assumed_away=3 bugs=1 kind=assertion guarantee~"3 dropped by heddle_assume"
// heddle: check --keep-going
// expect: verdict=bug complete=true bugs=1 kind=assertion
// traces: 1 --keep-going
#include <heddle.h>
#include <atomic>
#include <thread>
#include <cassert>
static std::atomic<int> x{0};
int main() {
  std::thread a([] { x.store(1); heddle_assume(0); });
  std::thread b([] { assert(x.load() == 0); });
  a.join(); b.join();
}
