// Transactions on a store with versions: each reads what it needs, computes, and commits under a lock if nothing that it *wrote* has
// changed. What it only read is not looked at, so two transactions can each rely on what the other one changes (write skew).
// Interleaving: two doctors, both on call, read that the other is there, and both leave.
// The bug shows among twelve accounts that are moved about by two more transactions.
// bug: preemptions=1 threads=5
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <array>
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static constexpr int kCells = 12;

struct Cell {
  int value = 0, version = 0;
};

static std::mutex mutex;
static std::array<Cell, kCells> store;

class Transaction {
 public:
  int Read(int cell) {
    std::lock_guard<std::mutex> guard(mutex);
    seen_[cell] = store[cell].version;
    return store[cell].value;
  }
  void Write(int cell, int value) { fresh_[cell] = value, writes_[cell] = true; }
  bool Commit() {
    std::lock_guard<std::mutex> guard(mutex);
    for (int i = 0; i < kCells; i++) {
#ifdef FIXED
      bool relevant = true;
#else
      bool relevant = writes_[i];
#endif
      if (relevant && seen_[i] >= 0 && seen_[i] != store[i].version) return false;
    }
    for (int i = 0; i < kCells; i++)
      if (writes_[i]) store[i] = {fresh_[i], store[i].version + 1};
    return true;
  }
  Transaction() { seen_.fill(-1), writes_.fill(false); }

 private:
  std::array<int, kCells> seen_, fresh_;
  std::array<bool, kCells> writes_;
};

static void Leave(int self, int other) {
  Transaction t;
  bool here = t.Read(self);
  if (!t.Read(other) || !here) return;
  t.Write(self, 0);
  t.Commit();
}

static void Move(int from, int to) {
  Transaction t;
  int amount = t.Read(from);
  int there = t.Read(to);
  t.Write(from, 0);
  t.Write(to, there + amount);
  t.Commit();
}

int main() {
  for (int i = 0; i < kCells; i++) store[i].value = i < 2;
  std::thread a(Leave, 0, 1), b(Move, 2, 3), c(Move, 4, 5), d(Leave, 1, 0);
  a.join(), b.join(), c.join(), d.join();
  assert(store[0].value + store[1].value >= 1);
}
