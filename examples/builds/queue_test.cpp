// Two threads put, two get, and there is room for one item. What is put comes out.
#undef NDEBUG
#include <cassert>
#include <thread>

#include "queue.h"

int main() {
  Queue queue(1);
  int taken[2] = {0, 0};
  std::thread first_put([&] { queue.Put(1); });
  std::thread second_put([&] { queue.Put(2); });
  std::thread first_get([&] { taken[0] = queue.Get(); });
  std::thread second_get([&] { taken[1] = queue.Get(); });
  first_put.join();
  second_put.join();
  first_get.join();
  second_get.join();
  assert(taken[0] + taken[1] == 3);
}
