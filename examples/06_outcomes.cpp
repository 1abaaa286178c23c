// What can this program do? heddle_outcome labels every execution, and heddle shows how often
// each label occurs and the least number of preemptions that reaches it. Dekker's idea: whoever
// sets its flag and then looks at the other's knows whether it was first. Not both can miss each
// other: 00 never occurs under sequential consistency.
//
// heddle: check --order depth-first
// expect: verdict=clean complete=true executions=6 outcomes=01,10,11
#include <heddle.h>

#include <atomic>
#include <thread>

int main() {
  std::atomic<int> left{0}, right{0};
  int seen_right = -1, seen_left = -1;
  std::thread first([&] {
    left = 1;
    seen_right = right;
  });
  std::thread second([&] {
    right = 1;
    seen_left = left;
  });
  first.join();
  second.join();
  heddle_outcome("%d%d", seen_right, seen_left);
}
