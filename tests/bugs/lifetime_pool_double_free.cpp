// A pool of blocks for messages. A message that times out is given back by the timer; the
// receiver gives it back, too, if it has already taken it.
// Interleaving: the receiver looks at the state and finds the message pending; the timer looks too, both give it back. The pool then hands
// out one block to two owners.
// bug: preemptions=1 threads=3
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static constexpr int kBlocks = 4;
enum State { kPending, kTaken };

static std::mutex mutex;
static std::vector<int> free_list;
static std::atomic<int> state[kBlocks], freed[kBlocks];

static int Allocate() {
  std::lock_guard<std::mutex> guard(mutex);
  int block = free_list.back();
  free_list.pop_back();
  freed[block] = 0;
  state[block] = kPending;
  return block;
}

static void Free(int block) {
  assert(freed[block]++ == 0);
  std::lock_guard<std::mutex> guard(mutex);
  free_list.push_back(block);
}

static void Finish(int block) {
#ifdef FIXED
  int pending = kPending;
  if (state[block].compare_exchange_strong(pending, kTaken)) Free(block);
#else
  if (state[block] == kPending) {
    state[block] = kTaken;
    Free(block);
  }
#endif
}

int main() {
  for (int i = 0; i < kBlocks; i++) free_list.push_back(i);
  int blocks[kBlocks];
  for (int &block : blocks) block = Allocate();
  std::thread receiver([&] {
    for (int block : blocks) Finish(block);
  });
  std::thread timer([&] {
    for (int i = kBlocks - 1; i >= 0; i--) Finish(blocks[i]);
  });
  receiver.join(), timer.join();
  assert(free_list.size() == kBlocks);
}
