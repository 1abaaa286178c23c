// Two tasks, each waiting for the other's result.
// heddle: check
// expect: verdict=bug kind=deadlock
// Graphs: the two threads wait at different promises, and touch nothing else that is shared: 1.
// traces: 1 enumerated --keep-going
#include <future>
#include <thread>

int main() {
  std::promise<int> left, right;
  std::thread first([&] { left.set_value(right.get_future().get()); });
  std::thread second([&] { right.set_value(left.get_future().get()); });
  first.join();
  second.join();
}
