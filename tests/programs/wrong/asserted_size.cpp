// The size of a container, which the library reads for the assertion, and a flag that was read before it.
// heddle: check
// expect: verdict=bug kind=assertion location=@assert
// expect: step="reads in all: 1" step="reads full: true"
#include <cassert>
#include <list>
#include <thread>

static std::list<int> all;
static bool full;

int main() {
  std::thread thread([] { all.push_back(1), full = true; });
  thread.join();
  if (!full) return 0;
  assert(all.size() == 0 || !full);  // @assert
}
