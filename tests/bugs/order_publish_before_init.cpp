// A worker registers its mailbox in a table before it has set the mailbox up. Messages that come early are wiped by the set-up.
// Interleaving: the sender finds the mailbox in the table and posts between registration and set-up. Four workers that each send to the next.
// bug: preemptions=1 threads=5
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static constexpr int kWorkers = 4;

struct Mailbox {
  std::mutex mutex;
  int messages = 0;
  std::atomic<bool> registered{false};
};

static Mailbox boxes[kWorkers];
static std::atomic<int> sent;

static void SetUp(Mailbox &box) {
  std::lock_guard<std::mutex> guard(box.mutex);
  box.messages = 0;
}

static void Work(int self) {
  Mailbox &mine = boxes[self], &next = boxes[(self + 1) % kWorkers];
#ifdef FIXED
  SetUp(mine);
  mine.registered = true;
#else
  mine.registered = true;
  SetUp(mine);
#endif
  if (next.registered) {
    std::lock_guard<std::mutex> guard(next.mutex);
    next.messages++;
    sent++;
  }
}

int main() {
  std::thread workers[kWorkers];
  for (int i = 0; i < kWorkers; i++) workers[i] = std::thread(Work, i);
  for (auto &worker : workers) worker.join();
  int received = 0;
  for (auto &box : boxes) received += box.messages;
  assert(received == sent);
}
