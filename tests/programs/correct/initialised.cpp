// What is read has been written: by whoever, also by code that is not seen, or is copied only; and what is zero.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check --uninitialised
// expect: verdict=clean complete=true

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

struct Padded {
  char kind;
  double value;
  char last;
};

struct Partly {
  int count;
  int values[7];  // of which `count` are used
};

static std::mutex mutex;
static int sum;

static void Copies() {
  auto* from = static_cast<Partly*>(malloc(sizeof(Partly)));
  from->count = 1;
  from->values[0] = 4;
  auto* to = new Partly(*from);
  std::vector<Partly> many(3, *to);
  std::reverse(many.begin(), many.end());
  std::sort(many.begin(), many.end(), [](const Partly& a, const Partly& b) { return a.values[0] < b.values[0]; });
  memmove(to, from, sizeof(Partly));
  sum += to->values[to->count - 1] + many[2].count;
  free(from);
  delete to;
  auto padded = std::make_unique<Padded>(Padded{'a', 1, 'b'});
  const Padded copy = *padded;
  std::swap(*padded, *std::make_unique<Padded>(copy));
  sum += padded->kind + copy.last;
}

// Written by libraries and by the kernel.
static void Unseen() {
  auto now = std::make_unique<timespec[]>(1);
  auto* spec = static_cast<timespec*>(malloc(sizeof(timespec)));
  clock_gettime(CLOCK_REALTIME, spec);
  sum += spec->tv_sec != 0;
  free(spec);
  auto* text = static_cast<char*>(malloc(100));
  snprintf(text, 100, "%d %s", 12, "abc");
  sum += text[1] + text[5];
  int ends[2];
  if (pipe(ends) != 0 || write(ends[1], "12345678", 8) != 8 || read(ends[0], text + 40, 8) != 8) abort();
  sum += text[47];
  close(ends[0]);
  close(ends[1]);
  free(text);
  std::ostringstream stream;
  stream << 12345 << "a rather long text that is on the heap" << 1.5;
  for (const char c : stream.str()) sum += c;
}

static void Containers() {
  std::map<std::string, int> map{{"one", 1}, {"two", 2}};
  std::unordered_map<int, std::optional<int>> hash;
  hash[1] = std::nullopt;
  hash[2] = 3;
  std::vector<bool> bits(100);
  bits[70] = true;
  auto shared = std::make_shared<std::atomic<int>>(1);
  shared->fetch_add(1);
  for (const auto& [name, value] : map) sum += value + static_cast<int>(name.size());
  for (const auto& [key, value] : hash) sum += value.value_or(key);
  sum += bits[70] + bits[3] + *shared;
  auto* zeros = static_cast<int*>(calloc(10, sizeof(int)));
  sum += zeros[9];
  free(zeros);
}

int main() {
  int* value = new int;
  std::thread writer([=] {
    const std::lock_guard<std::mutex> guard(mutex);
    *value = 1;
  });
  writer.join();
  std::thread reader([=] { sum += *value; });
  reader.join();
  delete value;
  Copies();
  Unseen();
  Containers();
  return sum == 0;
}
