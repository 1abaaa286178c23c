// Transactions in a hash table, which their owner commits and deletes while a timer ends those whose time is up. The first argument:
// what the owner does; the second: how often the timer looks.
// compilers: gcc clang
// heddle: check -- commit 2
// expect: verdict=clean complete=true
// heddle: check -- all 1
// expect: verdict=clean complete=true
// heddle: check --bound preemptions=3 -- commit 1
// expect: verdict=clean complete=true
#include <string.h>

#include "transaction_manager.h"

static bool commits, deletes;
static int rounds;

static void *Owner(void *arg) {
  Create(1, 10);
  if (deletes) Create(3, 10);
  if (deletes) Create(2, 30);  // its time is not up
  if (commits) Commit(1);
  if (deletes) Delete(3);
  if (deletes) Delete(2);
  return arg;
}

static void *Timer(void *arg) {
  for (int i = 0; i < rounds; i++) Flush(20);
  return arg;
}

int main(int argc, char **argv) {
  assert(argc == 3);
  deletes = strcmp(argv[1], "all") == 0;
  commits = true;
  rounds = atoi(argv[2]);
  RunTransactions(Owner, Timer);
}
