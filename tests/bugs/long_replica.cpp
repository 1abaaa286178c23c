// Replication: a primary sends 30 updates to a log, and keeps a snapshot every ten. A replica copies the snapshot and then reads the log from the snapshot's
// position; the primary trims the log when it has made a new snapshot.
// Interleaving: the replica has read the position of a snapshot; the primary makes two more, and trims; the replica reads a part of the log that is
// used again. One preemption that must last for eleven updates at least.
// bug: preemptions=1 threads=3
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <atomic>
#include <cassert>
#include <thread>

static constexpr int kUpdates = 30, kEvery = 5, kLog = 10;
static std::atomic<int> written, snapshot_at, snapshot_sum;
static std::atomic<int> log_entries[kLog];

static void Primary() {
  int sum = 0;
  for (int i = 0; i < kUpdates; i++) {
    log_entries[i % kLog] = i;
    sum += i;
    written = i + 1;
    if ((i + 1) % kEvery == 0) {
      snapshot_sum = sum;
      snapshot_at = i + 1;
    }
  }
}

static void Replica() {
  for (int attempt = 0; attempt < 2; attempt++) {
    int at = snapshot_at;
    int end = written;
    bool whole = true;
    for (int i = at; i < end; i++) {
      int entry = log_entries[i % kLog];
#ifdef FIXED
      whole = whole && written <= i + kLog - 1;  // what may be overwritten meanwhile does not count
#endif
      if (whole) assert(entry == i);
    }
    if (whole) return;
  }
}

int main() {
  std::thread primary(Primary), replica(Replica);
  primary.join(), replica.join();
}
