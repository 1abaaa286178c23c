// Two tasks, each waiting for the other's result.
// heddle: check
// expect: verdict=bug kind=deadlock
#include <future>
#include <thread>

int main() {
  std::promise<int> left, right;
  std::thread first([&] { left.set_value(right.get_future().get()); });
  std::thread second([&] { right.set_value(left.get_future().get()); });
  first.join();
  second.join();
}
