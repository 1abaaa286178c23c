// Structures that are passed by value from memory that was freed, and that a function returns into it: GCC's instrumentation
// says nothing of these. (Clang's, not of structures of more than 16 bytes, or of 3.)
// compilers: gcc clang   opt: -O0 -O1 -O2
// heddle: check -- passed
// expect: verdict=bug kind=use-after-free location=@passed message~"reads "
// heddle: check -- method
// expect: verdict=bug kind=use-after-free location=@method message~"reads "
// heddle: check -- returned
// expect: verdict=bug kind=use-after-free location=@returned message~"writes "
// heddle: check -- throws
// expect: verdict=bug kind=use-after-free location=@throws message~"writes "
// One thread reads a structure that it passes on, another one writes it.
// heddle: check -- race
// expect: verdict=bug kind=data-race message~"shared"
// traces: 2 enumerated -- locked
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <string_view>
#include <thread>

struct Pair {
  long first, second;
};
static Pair shared;
static std::mutex mutex;
void* volatile from_malloc;
long volatile sink;

[[gnu::noinline]] static void Take(Pair pair) { sink = pair.second; }
[[gnu::noinline]] static Pair Make() { return {sink, 2}; }
[[gnu::noinline]] static Pair MakeOrThrow() {
  if (sink == 7) throw 1;
  return {3, 4};
}
[[gnu::noinline]] static std::size_t LengthOf(std::string_view text) { return text.size(); }

static void Race(bool locks) {
  const auto locked = [locks](auto act) {
    if (locks) mutex.lock();
    act();
    if (locks) mutex.unlock();
  };
  std::thread reader([&] { locked([] { Take(shared); }); });
  locked([] { shared.second = 5; });
  reader.join();
}

int main(int, char** arguments) {
  const char* what = arguments[1];
  if (std::strcmp(what, "race") == 0) Race(false);
  if (std::strcmp(what, "locked") == 0) return Race(true), 0;
  void* block = std::malloc(sizeof(Pair));
  std::memset(block, 1, sizeof(Pair));
  std::free(block);
  from_malloc = block;
  auto* pair = static_cast<Pair*>(from_malloc);
  if (std::strcmp(what, "passed") == 0) Take(*pair);  // @passed
  if (std::strcmp(what, "method") == 0) sink = static_cast<long>(LengthOf(*reinterpret_cast<std::string_view*>(pair)));  // @method
  if (std::strcmp(what, "returned") == 0) new (pair) Pair(Make());  // @returned
  if (std::strcmp(what, "throws") == 0) new (pair) Pair(MakeOrThrow());  // @throws
}
