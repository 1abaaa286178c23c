// A plain access to a variable in the frame of a function that has returned, or on the stack of a thread that has ended.
// compilers: gcc clang   opt: -O1 -O2
// Two critical sections and a third one: the helper may come when Lend has returned.
// every search: use-after-return -- lost
// heddle: check -- lost
// expect: verdict=bug kind=use-after-return message~"T1 reads " message~"which lies in a frame of main that has returned"
// heddle: check --no-races -- lost
// expect: verdict=bug kind=use-after-return
// heddle: check -- write
// expect: verdict=bug kind=use-after-return message~"T1 writes "
// heddle: check -- array
// expect: verdict=bug kind=use-after-return message~"T1 reads "
// Nothing orders the access with the return.
// heddle: check -- unordered
// expect: verdict=bug kind=use-after-return message~"T1 writes "
// heddle: check --reduction none -- unordered
// expect: verdict=bug kind=use-after-return
// heddle: check -- ended
// expect: verdict=bug kind=use-after-return message~"main reads " message~"which lies on the stack of T1, which has ended"
// Given back in time, or waited for.
// traces: 2 enumerated -- back
// heddle: check -- waits
// expect: verdict=clean complete=true

#include <stdlib.h>
#include <string.h>

#include <atomic>
#include <mutex>
#include <string>
#include <thread>

static std::mutex mutex;
static int* lent;
static char* lent_array;
int sink;

[[gnu::noinline]] static void Lend() {
  int local = 3;
  const std::lock_guard<std::mutex> guard(mutex);
  lent = &local;
}

[[gnu::noinline]] static void LendArray() {
  char local[300];
  memset(local, 1, sizeof local);
  const std::lock_guard<std::mutex> guard(mutex);
  lent_array = local;
}

// Who takes it away again, and does not give it to a third one, has it for itself.
[[gnu::noinline]] static void LendAndTakeBack() {
  int local = 3;
  lent = &local;
  std::thread helper([] {
    const std::lock_guard<std::mutex> guard(mutex);
    if (lent != nullptr) sink += *lent;
  });
  {
    const std::lock_guard<std::mutex> guard(mutex);
    lent = nullptr;
  }
  helper.join();
}

[[gnu::noinline]] static void Unordered() {
  int local = 0;
  std::thread([&local] { local = 1; }).detach();
}

[[gnu::noinline]] static void Waits() {
  int local = 0;
  std::thread helper([&local] { local = 1; });
  helper.join();
  sink += local;
}

static void Locked(void (*act)()) {
  const std::lock_guard<std::mutex> guard(mutex);
  act();
}

static void Helped(void (*lend)(), void (*act)()) {
  std::thread helper(Locked, act);
  lend();
  Locked([] { ++sink; });
  helper.join();
}

static void Ended() {
  int* lost = nullptr;
  std::thread([&lost] {
    int local = 1;
    lost = &local;
    Locked([] { ++sink; });
    sink += local;
  }).join();
  sink += *lost;
}

int main(int, char** arguments) {
  const std::string what = arguments[1];
  if (what == "lost") Helped(Lend, [] { sink += lent != nullptr ? *lent : 0; });
  if (what == "write")
    Helped(Lend, [] {
      if (lent != nullptr) *lent = 4;
    });
  if (what == "array") Helped(LendArray, [] { sink += lent_array != nullptr ? memcmp(lent_array, "abcdef", 6) : 0; });
  if (what == "unordered") Unordered();
  if (what == "ended") Ended();
  if (what == "back") LendAndTakeBack();
  if (what == "waits") Waits();
}
