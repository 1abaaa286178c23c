// What the C++ library does with the nodes of maps, sets and lists is seen, although its code is in libstdc++.so.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check -- iterate
// expect: verdict=bug kind=data-race location=@iterate executions=1
// heddle: check -- back
// expect: verdict=bug kind=data-race location=@back executions=1
// heddle: check -- neighbour
// expect: verdict=bug kind=data-race location=@neighbour executions=1
// heddle: check -- list
// expect: verdict=bug kind=data-race location=@list executions=1
// heddle: check -- splice
// expect: verdict=bug kind=data-race executions=1
// heddle: check -- reverse
// expect: verdict=bug kind=data-race executions=1
// To go on from an element that was erased.
// heddle: check -- erased
// expect: verdict=bug kind=use-after-free location=@erased executions=1
// heddle: check -- erased_back
// expect: verdict=bug kind=use-after-free location=@gone_back executions=1
// heddle: check -- insert_at_erased
// expect: verdict=bug kind=use-after-free location=@insert_at executions=1
// Two critical sections: one erases the element from which the other goes on.
// traces: 2 enumerated --keep-going -- ordered
// heddle: check -- ordered
// expect: verdict=bug kind=use-after-free location=@ordered message~"freed by T1"
#include <cstring>
#include <iterator>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <thread>

static std::map<int, int> numbers = {{0, 0}, {2, 1}, {4, 2}, {6, 3}, {8, 4}};
static std::set<int> names = {1, 2, 3};
static std::list<int> line = {1, 2, 3};
static std::mutex mutex;
static volatile long result;
static const void* volatile place;  // else nobody asks where to go on

template <typename Other, typename Mine>
static void Beside(Other other, Mine mine) {
  std::thread thread(other);
  mine();
  thread.join();
}

int main(int argc, char** argv) {
  const auto is = [&](const char* name) { return argc > 1 && strcmp(argv[1], name) == 0; };
  const auto third = std::next(line.begin(), 2);
  const auto fourth = numbers.find(4);
  if (is("iterate"))
    Beside([] { numbers[5] = 1; },
           [] {
             long sum = 0;
             for (const auto& number : numbers) sum += number.second;  // @iterate
             result = sum;
           });
  if (is("back"))
    Beside([] { names.insert(4); },
           [] {
             auto at = names.find(3);
             --at;  // @back
             result = *at;
           });
  if (is("neighbour"))
    Beside([] { numbers.erase(6); },
           [&] {
             auto at = fourth;
             place = &*++at;  // @neighbour
           });
  if (is("list"))
    Beside([&] { line.insert(third, 7); },
           [&] { result = *std::prev(third); });  // @list
  if (is("splice"))
    Beside(
        [&] {
          std::list<int> other = {4};
          line.splice(third, other);
        },
        [&] { result = *std::prev(third); });
  if (is("reverse")) Beside([] { line.reverse(); }, [] { result = line.front(); });
  if (is("erased")) {
    auto at = numbers.find(4);
    numbers.erase(at);
    place = &*++at;  // @erased
  }
  if (is("erased_back")) {
    auto at = names.find(2);
    names.erase(at);
    place = &*--at;  // @gone_back
  }
  if (is("insert_at_erased")) {
    line.erase(third);
    line.insert(third, 4);  // @insert_at
  }
  if (is("ordered"))
    Beside(
        [] {
          std::lock_guard<std::mutex> lock(mutex);
          numbers.erase(4);
        },
        [&] {
          std::lock_guard<std::mutex> lock(mutex);
          auto at = fourth;
          place = &*++at;  // @ordered
        });
}
