// A frame ends the life of an atomic in it while another thread is between its two accesses. With REUSE another frame covers it.
// compilers: gcc clang   opt: -O0 -O1 -O2
// heddle: check
// expect: verdict=bug kind=use-after-return message~"T1 updates atomic" message~"frame of main that has returned"
// heddle: check -- reuse
// expect: verdict=bug kind=use-after-return message~"T1 updates atomic"
// every search with --all: use-after-return
#include <atomic>
#include <cassert>
#include <thread>

namespace {

struct Done {
  std::atomic<int> flag{0};
  std::atomic<int> count{0};
};
std::atomic<Done *> box;

__attribute__((noinline)) int Wait() {
  volatile char deep[512];
  deep[0] = 0;
  Done done;
  box.store(&done);
  while (done.flag.load() == 0) {
  }
  return 1 + deep[0];
}

__attribute__((noinline)) int Reuse(int n) {
  volatile char frame[4096];
  for (char volatile &byte : frame) byte = static_cast<char>(n);
  return frame[n & 63];
}

}  // namespace

int main(int argc, char **) {
  std::thread user([] {
    Done *done;
    while ((done = box.load()) == nullptr) {
    }
    done->flag.store(1);
    done->count.fetch_add(1);
  });
  int result = Wait();
  if (argc > 1) result = Reuse(result);
  user.join();
  assert(result == 1);
}
