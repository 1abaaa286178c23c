// Boost.Lockfree's queue as Debian ships it: a producer of two items and two consumers; nothing
// lost, nothing twice.
// compilers: gcc clang   std: c++17
// A node from the free list is constructed anew, with plain writes, while another thread may
// still read it: by the letter of C++ a data race, and reported as one. Nothing worse comes of
// it.
// heddle: check --bound preemptions=1 --executions 20000
// expect: verdict=bug kind=data-race
// heddle: check --bound preemptions=1 --executions 20000 --no-races --leaks --uninitialised
// expect: executions>=50 bugs=0
#include <atomic>
#include <boost/lockfree/queue.hpp>
#include <cassert>
#include <thread>

int main() {
  boost::lockfree::queue<int, boost::lockfree::capacity<4>> queue;
  std::atomic<int> taken[3] = {};
  auto consume = [&] {
    int item;
    if (queue.pop(item)) assert(taken[item]++ == 0);
  };
  std::thread producer([&] {
    assert(queue.push(1));
    assert(queue.push(2));
  });
  std::thread first(consume), second(consume);
  producer.join();
  first.join();
  second.join();
  for (int item; queue.pop(item);) assert(taken[item]++ == 0);
  assert(taken[1] == 1 && taken[2] == 1);
}
