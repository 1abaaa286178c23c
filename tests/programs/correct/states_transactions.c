// The transaction manager under zing: an owner that creates, commits and deletes beside a timer. Everything is explored.
// heddle: check --preset zing
// expect: verdict=clean complete=true guarantee~"every state explored"
// heddle: check --visited states --no-races
// expect: verdict=clean complete=true
#include "transaction_manager.h"

static void *Owner(void *arg) {
  Create(1, 10);
  Commit(1);
  Create(2, 30);
  Delete(2);
  return arg;
}

static void *Timer(void *arg) {
  Flush(20);
  return arg;
}

int main(void) { RunTransactions(Owner, Timer); }
