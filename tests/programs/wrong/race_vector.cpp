// push_back into one vector from two threads: the race is inside the library's header, the
// report names our line.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=data-race location=@push
// No number of graphs is stated: how often the library's code reads its pointers is the compiler's matter.
#include <thread>
#include <vector>

static std::vector<int> values;

static void Fill(int value) {
  values.push_back(value);  // @push
}

int main() {
  values.reserve(16);
  std::thread first(Fill, 1), second(Fill, 2);
  first.join();
  second.join();
}
