// libstdc++ 12's std::barrier races with itself, and three threads share a barrier for two. A search that goes on behind
// the races begins again with their accesses visible. After two seconds it runs random executions on the side, and these
// find more: that is explained with what was visible when it was found, before the search begins again for it, and the
// executions that were run are counted.
// heddle: check --keep-going --no-minimise --order depth-first --reduction none --time 3s
// expect: verdict=bug executions>=1 guarantee~"stopped by the time limit"
// std: c++20   opt: -O1
#include <barrier>
#include <thread>

std::barrier<> both(2);

int main() {
  std::thread twice([] {
    both.arrive_and_wait();
    both.arrive_and_wait();
  });
  std::thread first([] { both.arrive_and_wait(); }), second([] { both.arrive_and_wait(); });
  twice.join();
  first.join();
  second.join();
}
