// What the C++ library does with blocks stays within them.
// compilers: gcc clang   opt: -O0 -O2
// std: c++20
// heddle: check
// expect: bugs=0
// heddle: check --no-races
// expect: bugs=0
#include <algorithm>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <forward_list>
#include <functional>
#include <future>
#include <iomanip>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <queue>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <valarray>
#include <vector>

namespace {

struct Odd {
  char bytes[3];
  bool operator==(const Odd&) const = default;
};

struct alignas(64) Wide {
  char bytes[65];
};

struct Base {
  virtual ~Base() = default;
  virtual int Get() const { return 1; }
  char tail = 1;
};
struct Derived : Base {
  int Get() const override { return tail + more; }
  char more = 1;
};

int UseAll(int n) {
  std::vector<Odd> odd;
  for (int i = 0; i < n; ++i) odd.push_back({{static_cast<char>(i), 2, 3}});
  odd.shrink_to_fit();
  odd.insert(odd.begin() + 1, 2, Odd{{9, 9, 9}});
  std::vector<bool> bits(static_cast<size_t>(n) * 9, true);
  bits.flip();
  std::string text;
  for (int i = 0; i < n; ++i) text += "some words; ";
  text.erase(3, 5);
  const std::u16string wide(static_cast<size_t>(n), u'x');
  std::map<std::string, std::unique_ptr<Base>> map;
  for (int i = 0; i < n; ++i) map[text.substr(0, static_cast<size_t>(i))] = std::make_unique<Derived>();
  std::unordered_map<int, std::string> hashed;
  for (int i = 0; i < n; ++i) hashed[i] = std::to_string(i * 1000);
  std::deque<Odd> deque(odd.begin(), odd.end());
  for (int i = 0; i < n; ++i) deque.push_front(odd[0]);
  std::list<Wide> list(3);
  std::forward_list<char> forward{'a', 'b'};
  std::multiset<char> set(text.begin(), text.end());
  std::vector<int> numbers(static_cast<size_t>(n) * 3);
  std::iota(numbers.rbegin(), numbers.rend(), 0);
  std::stable_sort(numbers.begin(), numbers.end());
  std::priority_queue<int> queue(numbers.begin(), numbers.end());
  const std::valarray<double> values(1.5, static_cast<size_t>(n));
  const auto shared = std::make_shared<std::string[]>(3, "shared text that is long enough");
  const std::function<size_t()> function = [shared, n] { return shared[2].size() + static_cast<size_t>(n); };
  std::ostringstream out;
  out << std::setw(20) << values.sum() << text << function();
  std::istringstream in(out.str());
  std::string word;
  while (in >> word) map[word] = nullptr;
  std::unique_ptr<Wide[]> array(new Wide[2]);
  array[1].bytes[64] = 1;
  const bool matched = std::regex_search(text, std::regex("wor(d)s?"));
  std::optional<std::vector<Odd>> optional = odd;
  return static_cast<int>(map.size() + queue.size() + wide.size() + set.size()) + matched + map.begin()->second->Get() +
         (optional == odd) + list.front().bytes[64] * 0 + forward.front();
}

}  // namespace

int main() {
  std::mutex mutex;
  int first = UseAll(5);
  auto later = std::async(std::launch::async, [&] {
    const std::lock_guard lock(mutex);
    return UseAll(6);
  });
  std::thread thread([&] {
    const std::lock_guard lock(mutex);
    first = UseAll(4);
  });
  thread.join();
  assert(later.get() > first);
}
