// main leaves by pthread_exit: what has a destructor is destroyed when the last thread has ended, so after all others.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check
// expect: verdict=clean complete=true
// heddle: check --reduction none
// expect: verdict=clean complete=true

#include <pthread.h>

#include <mutex>
#include <thread>
#include <vector>

struct Journal {
  int lines = 0;
  std::mutex mutex;
  std::vector<int> numbers;
  ~Journal() { lines = -1; }
  void Add() {
    const std::lock_guard<std::mutex> guard(mutex);
    numbers.push_back(++lines);
  }
};

static Journal journal;

int main() {
  std::thread([] { journal.Add(); }).detach();
  std::thread([] { journal.Add(); }).detach();
  pthread_exit(nullptr);
}
