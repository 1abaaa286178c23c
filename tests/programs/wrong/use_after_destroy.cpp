// Static objects are accessed when their destructors have run: by threads that nobody joins, by another static object.
// compilers: gcc clang   opt: -O0 -O2
// Found in the execution in which the thread comes first, by what does not order the two.
// every search: use-after-destroy -- plain
// every search: use-after-destroy -- atomic
// heddle: check -- plain
// expect: verdict=bug kind=use-after-destroy message~"of journal.lines: main destroys it at use_after_destroy.cpp:" message~"with its static object, at exit, and the read by T1" message~"may come after that: no synchronisation orders the two" step~"destroys the static object journal"
// heddle: check -- atomic
// expect: verdict=bug kind=use-after-destroy message~"of atomic journal.users: main destroys it" message~"the atomic write by T1"
// heddle: check -- vector
// expect: verdict=bug kind=use-after-destroy message~"main destroys it" message~"the read by T1"
// A static object of a function, which is constructed in the execution.
// heddle: check -- inside
// expect: verdict=bug kind=use-after-destroy message~"::inside.lines: main destroys it"
// An operation on a primitive: what ends at the destruction is the thread's critical section.
// heddle: check -- lock
// expect: verdict=bug kind=use-after-destroy message~"mutex journal.mutex, which was destroyed by main at use_after_destroy.cpp:"
// heddle: check --reduction none -- lock
// expect: verdict=bug kind=use-after-destroy
// heddle: check --visited states -- lock
// expect: verdict=bug kind=use-after-destroy
// One thread alone, also where exit is called by another one.
// heddle: check -- order
// expect: verdict=bug kind=use-after-destroy message~"main reads late.lines, which was destroyed by main at use_after_destroy.cpp:" location=@order
// heddle: check --no-races -- order
// expect: verdict=bug kind=use-after-destroy
// heddle: check -- exit
// expect: verdict=bug kind=use-after-destroy message~"T1 reads late.lines, which was destroyed by T1" message~"with its static object, at exit"

#include <stdlib.h>

#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static int gone;
static int sum;

struct Journal {
  int level = 3;
  int lines = 0;
  std::mutex mutex;
  std::atomic<int> users{0};
  ~Journal();
};
Journal::~Journal() { ++gone; }

struct Writer {
  bool writes = false;
  ~Writer();
};

static Journal journal;
static std::vector<int> numbers;
static Writer writer;
static Journal late;  // destroyed before `writer`

Writer::~Writer() {
  if (writes) sum += late.lines;  // @order
}

static void Lock() {
  const std::lock_guard<std::mutex> guard(journal.mutex);
  ++sum;
}

static void Inside() {
  static Journal inside;
  std::thread([] { sum += inside.lines; }).detach();
}

int main(int, char** arguments) {
  const std::string what = arguments[1];
  if (what == "plain") std::thread([] { sum += journal.lines; }).detach();
  if (what == "atomic") std::thread([] { ++journal.users; }).detach();
  if (what == "vector") std::thread([] { sum += static_cast<int>(numbers.size()); }).detach();
  if (what == "lock") std::thread(Lock).detach();
  if (what == "inside") Inside();
  writer.writes = what == "order" || what == "exit";
  if (what == "exit") std::thread([] { exit(0); }).join();
}
