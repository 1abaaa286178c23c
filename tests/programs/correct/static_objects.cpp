// Static objects that are used until they are destroyed, and not longer: by threads that are joined, or that are
// known to be done; by destructors of objects that were constructed later.
// compilers: gcc clang   opt: -O1 -O2
// heddle: check --memory-model sc
// expect: verdict=clean complete=true
// heddle: check
// expect: verdict=clean complete=true
// traces: 2 -- twice
// heddle: check --reduction none -- twice
// expect: verdict=clean complete=true

#include <atomic>
#include <condition_variable>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

struct Journal {
  int lines = 0;
  std::mutex mutex;
  std::condition_variable changed;
  std::atomic<bool> done{false};
  std::map<std::string, int> entries;
  ~Journal() { Add("end"); }
  void Add(const std::string& text) {
    const std::lock_guard<std::mutex> guard(mutex);
    ++lines;
    ++entries[text];
  }
};

static Journal journal;

struct Writer {
  ~Writer() { journal.Add("writer"); }  // constructed later, so destroyed before
};
static Writer writer;
static std::unique_ptr<int> owned = std::make_unique<int>(3);
static Journal several[2];  // an array

static Journal& Inside() {
  static Journal inside;
  return inside;
}

// A thread that main waits for, but does not join: it has done with the journal when it says so.
static void Detached() {
  std::thread([] {
    journal.Add("detached");
    journal.done.store(true, std::memory_order_release);
  }).detach();
  while (!journal.done.load(std::memory_order_acquire)) {
  }
}

int main(int argc, char**) {
  std::thread one([] { journal.Add("one"); });
  if (argc > 1) journal.Add("main");
  one.join();
  if (argc > 1) return 0;
  std::thread([] { Inside().Add("inside"); }).join();
  several[1].Add("several");
  *owned += 1;
  std::cout << *owned << '\n';
  Detached();
}
