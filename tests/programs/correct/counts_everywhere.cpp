// Loops that look at a flag a few times and count the looks, wherever a program may keep a counter that it uses afterwards: each number
// of looks in vain is another outcome. (In thread_local memory, by a pointer, in a struct, in what a call returns, in how deep calls lie,
// in a string, in what an exception leaves behind, in the values found.)
// compilers: gcc clang   std: c++20   opt: -O0 -O2
// heddle: check --memory-model sc -- local
// expect: complete=true outcomes=0,1,2,3
// heddle: check --memory-model sc -- pointer
// expect: complete=true outcomes=0,1,2,3
// heddle: check --memory-model sc -- member
// expect: complete=true outcomes=0:1,1:2,2:3,3:3
// heddle: check --memory-model sc -- depth
// expect: complete=true outcomes=0,1,2,3
// heddle: check --memory-model sc -- string
// expect: complete=true outcomes=n,nx,nxx,nxxx
// heddle: check --memory-model sc -- thrown
// expect: complete=true outcomes=0,1,2,3
// The values 0, 1, 2, 3 are stored one after the other, and the loop waits for the last: any set of the others may have been seen.
// heddle: check --memory-model sc -- seen
// expect: complete=true outcomes=8,9,10,11,12,13,14,15
// Four looks at the same: the longest run of one value. All of one (4), or 3, 2, or each another one (1).
// heddle: check --memory-model sc -- run
// expect: complete=true outcomes=1,2,3,4
#include <heddle.h>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>

namespace {

std::atomic<int> flag{0};
thread_local int of_thread;

bool IsSet() { return flag.load() != 0; }

struct Waiter {
  int tries = 0;
  [[gnu::noinline]] int Wait(int most) {
    int i = 0;
    for (; i < most; ++i) {
      ++tries;
      if (IsSet()) break;
    }
    return i;
  }
};

[[gnu::noinline]] int CountBy(int* count, int most) {
  while (*count < most && !IsSet()) ++*count;
  return *count;
}

[[gnu::noinline]] int Depth(int most) { return most == 0 || IsSet() ? 0 : 1 + Depth(most - 1); }

[[gnu::noinline]] int Thrown(int most) {
  int count = 0;
  try {
    for (; count < most; ++count)
      if (IsSet()) throw count;
  } catch (int at) {
    return at;
  }
  return count;
}

int Seen() {
  int seen = 0;
  while ((seen & 8) == 0) seen |= 1 << flag.load();
  return seen;
}

int LongestRun() {
  int run = 0, longest = 0, last = -1;
  for (int i = 0; i < 4; ++i) {
    const int value = flag.load();
    run = value == last ? run + 1 : 1;
    if (run > longest) longest = run;
    last = value;
  }
  return longest;
}

}  // namespace

int main(int, char** arguments) {
  const auto is = [&](const char* name) { return std::strcmp(arguments[1], name) == 0; };
  const int last = is("seen") || is("run") ? 3 : 1;
  std::thread setter([=] {
    for (int i = 1; i <= last; ++i) flag = i;
  });
  if (is("local")) heddle_outcome("%d", CountBy(&of_thread, 3));
  if (is("pointer")) {
    int count = 0;
    heddle_outcome("%d", CountBy(&count, 3));
  }
  if (is("member")) {
    Waiter waiter;
    const int count = waiter.Wait(3);
    heddle_outcome("%d:%d", count, waiter.tries);
  }
  if (is("depth")) heddle_outcome("%d", Depth(3));
  if (is("string")) {
    std::string text = "n";
    while (text.size() < 4 && !IsSet()) text += 'x';
    heddle_outcome("%s", text.c_str());
  }
  if (is("thrown")) heddle_outcome("%d", Thrown(3));
  if (is("seen")) heddle_outcome("%d", Seen());
  if (is("run")) heddle_outcome("%d", LongestRun());
  setter.join();
}
