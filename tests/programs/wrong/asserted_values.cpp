// What the assertion compares stands beside it: two counters in the same eight bytes, of which only one has been changed by another
// thread, and the size of a list, which the library reads.
// heddle: check
// expect: verdict=bug kind=assertion location=@assert
// expect: step="reads received: 1" step="reads accepted: 0" stdout~"reads received: 1, reads accepted: 0"
#include <cassert>
#include <thread>

static int received, accepted;

int main() {
  std::thread thread([] { received++; });
  thread.join();
  assert(received == accepted);  // @assert
}
