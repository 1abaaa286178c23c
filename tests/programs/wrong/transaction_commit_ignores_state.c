// A seeded bug of the transaction manager: a commit takes it that what is in the table is active. But the timer has claimed the
// transaction and not yet taken it out: the owner hears of two ends. The owner has to be interrupted when it has created the
// transaction, and the timer when it has claimed it.
// compilers: gcc clang
// heddle: check --order context-bounded
// expect: verdict=bug kind=assertion preemptions=2 message~"before == kActive"
// expect: guarantee~"any other bug needs at least 2 preemptions"
// heddle: check --bound preemptions=1
// expect: verdict=clean complete=true completed_bound=1 guarantee~"any bug left needs at least 2 preemptions"
#include "transaction_manager.h"

static bool CommitWhatIsThere(int id) {
  Bucket *b = BucketOf(id);
  pthread_mutex_lock(&b->lock);
  Transaction *t = Find(id);
  if (t != NULL) t->state = kCommitted;
  pthread_mutex_unlock(&b->lock);
  if (t != NULL) Finish(t, kCommitted);
  return t != NULL;
}

static void *Owner(void *arg) {
  Create(1, 10);
  CommitWhatIsThere(1);
  return arg;
}

static void *Timer(void *arg) {
  Flush(20);
  return arg;
}

int main(void) { RunTransactions(Owner, Timer); }
