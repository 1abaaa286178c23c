// What the assertion compares stands beside it: two counters in the same eight bytes, of which only one has been changed by another
// thread.
// heddle: check
// expect: verdict=bug kind=assertion location=@assert
// expect: step="reads received: 1" step="reads accepted: 0" stdout~"reads accepted: 0"
#include <cassert>
#include <thread>

static int received, accepted;

int main() {
  std::thread thread([] {
    if (received++ == 1) accepted++;
  });
  thread.join();
  assert(received == accepted);  // @assert
}
