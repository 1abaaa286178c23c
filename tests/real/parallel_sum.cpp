// A std::async program as in a textbook: a divide-and-conquer sum, results through futures.
// compilers: gcc clang   std: c++11 c++20
// heddle: check --bound preemptions=1 --reduction none --executions 20000 --leaks --uninitialised
// expect: executions>=2 bugs=0
#include <cassert>
#include <future>
#include <numeric>
#include <vector>

static long Sum(const int *begin, const int *end) {
  if (end - begin <= 4) return std::accumulate(begin, end, 0L);
  const int *middle = begin + (end - begin) / 2;
  auto left = std::async(std::launch::async, Sum, begin, middle);
  long right = Sum(middle, end);
  return left.get() + right;
}

int main() {
  std::vector<int> numbers(12);
  std::iota(numbers.begin(), numbers.end(), 1);
  assert(Sum(numbers.data(), numbers.data() + numbers.size()) == 78);
}
