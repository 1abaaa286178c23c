// Boost.Lockfree's stack with dynamic nodes from its own free list: two threads push and pop.
// compilers: gcc clang   std: c++17
// Pop reads the plain `next` of a node that another thread may just be giving back to the free
// list: by the letter of C++ a data race, and reported as one. Nothing worse comes of it.
// heddle: check --bound preemptions=1 --executions 20000
// expect: verdict=bug kind=data-race
// heddle: check --bound preemptions=1 --executions 20000 --no-races --leaks --uninitialised
// expect: executions>=10 bugs=0
#include <atomic>
#include <boost/lockfree/stack.hpp>
#include <cassert>
#include <thread>

int main() {
  boost::lockfree::stack<int> stack(4);
  std::atomic<int> taken[3] = {};
  auto push_and_pop = [&](int mine) {
    assert(stack.push(mine));
    int item;
    if (stack.pop(item)) assert(taken[item]++ == 0);
  };
  std::thread first(push_and_pop, 1), second(push_and_pop, 2);
  first.join();
  second.join();
  for (int item; stack.pop(item);) assert(taken[item]++ == 0);
  assert(taken[1] == 1 && taken[2] == 1);
}
