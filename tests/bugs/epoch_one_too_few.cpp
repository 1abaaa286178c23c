// Reclamation by epochs: a reader announces the epoch in which it begins, and what was unlinked in epoch e may be reused when
// nobody can have begun in e or before. Here the epoch advances when every reader that is active has announced the current one,
// and what was unlinked one epoch ago is reused: it must be two.
// Interleaving: the reader loads the epoch, 0, and is interrupted before it announces; the writer unlinks in epoch 0, finds no
// reader and advances; the reader announces 0, reads the pointer ... with FIXED the second advance would fail now.
// bug: preemptions=1 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <atomic>
#include <cassert>
#include <thread>

static constexpr int kIdle = -1, kReaders = 2;
#ifdef FIXED
static constexpr int kSafe = 2;
#else
static constexpr int kSafe = 1;
#endif

static std::atomic<int> epoch, announced[kReaders] = {{kIdle}, {kIdle}};
static std::atomic<int> current, valid[3];

static void Read(int self) {
  int now;
  do {
    now = epoch;
    announced[self] = now;
  } while (now != epoch);
  int object = current;
  assert(valid[object]);
  announced[self] = kIdle;
}

static bool Advance() {
  int now = epoch;
  for (auto &reader : announced) {
    int at = reader;
    if (at != kIdle && at != now) return false;
  }
  epoch = now + 1;
  return true;
}

static void Write() {
  for (int fresh = 1; fresh < 3; fresh++) {
    valid[fresh] = 1;
    int old = current.exchange(fresh);
    int advanced = 0;
    while (advanced < kSafe && Advance()) advanced++;
    if (advanced == kSafe) valid[old] = 0;
  }
}

int main() {
  valid[0] = 1;
  std::thread a(Read, 0), b(Read, 1), writer(Write);
  a.join(), b.join(), writer.join();
}
