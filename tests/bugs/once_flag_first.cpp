// A "once" of its own: three states, none, running, done. A second caller that finds "running" should wait; here the state is set to done
// before the initialiser is called when it was running *again* after a failure.
// The first initialisation fails (as the device is not ready until a second thread makes it so), and the state goes back to none; the one
// that tries again takes a shortcut and announces first.
// Interleaving: A fails; B makes the device ready; A or C tries again, announces "done", and is interrupted; another one uses it.
// bug: preemptions=1 threads=5
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <atomic>
#include <cassert>
#include <thread>

enum { kNone, kRunning, kFailedOnce, kDone };
static std::atomic<int> state{kNone}, device_ready{0}, table_ready{0};

static bool Initialise() {
  if (!device_ready) return false;
  table_ready = 1;
  return true;
}

static bool Get() {
  int old = kNone;
  if (state.compare_exchange_strong(old, kRunning)) {
    bool made = Initialise();
    state = made ? kDone : kFailedOnce;
    return made;
  }
  old = kFailedOnce;
#ifdef FIXED
  if (state.compare_exchange_strong(old, kRunning)) {
    bool made = Initialise();
    state = made ? kDone : kFailedOnce;
    return made;
  }
#else
  if (device_ready && state.compare_exchange_strong(old, kDone)) return Initialise();
#endif
  return state == kDone;
}

static void Use() {
  for (int attempt = 0; attempt < 2; attempt++)
    if (Get()) {
      assert(table_ready);
      return;
    }
}

int main() {
  std::thread a(Use), b([] { device_ready = 1; }), c(Use), d(Use);
  a.join(), b.join(), c.join(), d.join();
}
