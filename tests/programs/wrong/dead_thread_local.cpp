// A thread-local variable of a thread that has ended: read, written, by an atomic, by a lock.
// compilers: gcc clang   opt: -O1 -O2
// heddle: check -- joined
// expect: verdict=bug kind=use-after-return message~"main reads " message~", a thread-local variable of T1, which has ended"
// heddle: check --no-races -- joined
// expect: verdict=bug kind=use-after-return
// Whether the other one has ended by then, is a matter of the schedule.
// every search: use-after-return -- locked
// heddle: check -- locked
// expect: verdict=bug kind=use-after-return message~"T2 reads "
// heddle: check -- atomic
// expect: verdict=bug kind=use-after-return message~"T2 updates "
// heddle: check -- mutex
// expect: verdict=bug kind=use-after-return message~"T2 locks "
// Nothing orders the use with the end, or with what is done behind it.
// heddle: check -- unordered
// expect: verdict=bug kind=use-after-return message~"T2 updates "
// heddle: check --reduction none -- unordered
// expect: verdict=bug kind=use-after-return
// On a stack of the program's own.
// heddle: check -- own_stack
// expect: verdict=bug kind=use-after-return message~", a thread-local variable of T1, which has ended"
// Taken back before the end, by the thread or by a destructor of its; or it has not ended.
// traces: 2 enumerated -- back
// heddle: check -- destructor
// expect: verdict=clean complete=true
// heddle: check -- waits
// expect: verdict=clean complete=true
// heddle: check -- main
// expect: verdict=clean complete=true
#include <pthread.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

static std::mutex mutex;
static thread_local int number;
static thread_local std::atomic<int> counter;
static thread_local pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
static int* lent;
static pthread_mutex_t* lent_mutex;
static std::atomic<std::atomic<int>*> lent_counter;
static std::atomic<bool> used;
int sink;

static void TakeBack() {
  const std::lock_guard<std::mutex> guard(mutex);
  lent = nullptr;
}

struct TakesBack {
  bool lends = false;
  ~TakesBack() {
    if (lends) TakeBack();
  }
};
static thread_local TakesBack takes_back;

static void Lend() {
  number = 3;
  const std::lock_guard<std::mutex> guard(mutex);
  lent = &number;
}

static void UseLent() {
  const std::lock_guard<std::mutex> guard(mutex);
  if (lent != nullptr) sink += *lent;
}

static void Two(void (*first)(), void (*second)()) {
  std::thread a(first), b(second);
  a.join();
  b.join();
}

static void* Start(void*) {
  number = 3;
  lent = &number;
  return nullptr;
}

static void OnOwnStack() {
  constexpr size_t kBytes = 256 << 10;
  alignas(4096) static char stack[kBytes];
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, kBytes);
  pthread_t thread;
  pthread_create(&thread, &attributes, Start, nullptr);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  sink += *lent;
}

int main(int, char** arguments) {
  const std::string what = arguments[1];
  if (what == "joined") {
    std::thread(Lend).join();
    sink += *lent;
  }
  if (what == "locked") Two(Lend, UseLent);
  if (what == "atomic") Two([] { lent_counter = &counter; }, [] {
      if (lent_counter != nullptr) ++*lent_counter;
    });
  if (what == "mutex")
    Two(
        [] {
          const std::lock_guard<std::mutex> guard(mutex);
          lent_mutex = &own;
        },
        [] {
          const std::lock_guard<std::mutex> guard(mutex);
          if (lent_mutex == nullptr) return;
          pthread_mutex_lock(lent_mutex);
          pthread_mutex_unlock(lent_mutex);
        });
  if (what == "unordered")
    Two(
        [] {
          lent_counter.store(&counter, std::memory_order_release);
          if (used.load(std::memory_order_relaxed)) ++counter;
        },
        [] {
          std::atomic<int>* const there = lent_counter.load(std::memory_order_acquire);
          if (there != nullptr) there->fetch_add(1, std::memory_order_relaxed);
          used.store(true, std::memory_order_relaxed);
        });
  if (what == "own_stack") OnOwnStack();
  if (what == "back")
    Two(
        [] {
          number = 3;
          lent = &number;
          std::thread helper(UseLent);
          TakeBack();
          helper.join();
        },
        [] {});
  if (what == "destructor")
    Two(
        [] {
          takes_back.lends = true;
          Lend();
        },
        UseLent);
  if (what == "waits")
    Two(
        [] {
          lent_counter = &counter;
          while (!used) std::this_thread::yield();
        },
        [] {
          if (lent_counter != nullptr) ++*lent_counter;
          used = true;
        });
  if (what == "main") {
    lent = &number;
    Two(UseLent, UseLent);
  }
}
