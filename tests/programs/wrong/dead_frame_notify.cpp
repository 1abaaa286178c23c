// The waiter may see what it waits for, and return with the object, before it is notified. Nothing but the end of the program comes
// compilers: gcc clang   opt: -O0 -O1 -O2
// after that.
// heddle: check
// expect: verdict=bug kind=use-after-return location=@notify message~"T1 broadcasts condition variable" message~"frame of main that has returned"
// heddle: check --no-races
// expect: verdict=bug kind=use-after-return location=@notify
// every search with --all: use-after-return
#include <condition_variable>
#include <mutex>
#include <thread>
struct Event {
  std::mutex m;
  std::condition_variable cv;
  bool set = false;
  void Set() {
    { std::unique_lock<std::mutex> l(m); set = true; }
    cv.notify_all();  // @notify
  }
  void Wait() {
    std::unique_lock<std::mutex> l(m);
    cv.wait(l, [&] { return set; });
  }
};
__attribute__((noinline)) void Ask() {
  Event e;
  std::thread([&] { e.Set(); }).detach();
  e.Wait();
}
int main() {
  Ask();
}
