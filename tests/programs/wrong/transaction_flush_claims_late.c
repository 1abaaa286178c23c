// A seeded bug of the transaction manager: the timer looks whose time is up, and claims these transactions one by one afterwards, if
// they are still there. It does not look again whether they are active: a commit that has begun and not yet ended is claimed, too.
// The owner has to be interrupted when it has created the transaction, the timer when it has looked, and the owner when it has
// claimed: if it were not, the transaction would be gone.
// compilers: gcc clang
// heddle: check --order context-bounded
// expect: verdict=bug kind=assertion preemptions=3 message~"before == kActive"
// expect: guarantee~"any other bug needs at least 3 preemptions"
// heddle: check --bound preemptions=2
// expect: verdict=clean complete=true completed_bound=2 guarantee~"any bug left needs at least 3 preemptions"
#include "transaction_manager.h"

static void FlushClaimingLate(int now) {
  for (Bucket *b = table; b < table + kBuckets; b++) {
    int late[kMostTransactions], count = 0;
    pthread_mutex_lock(&b->lock);
    for (Transaction *t = b->first; t != NULL; t = t->next)
      if (t->state == kActive && t->deadline < now) late[count++] = t->id;
    pthread_mutex_unlock(&b->lock);
    for (int i = 0; i < count; i++) {
      pthread_mutex_lock(&b->lock);
      Transaction *t = Find(late[i]);
      if (t != NULL) t->state = kTimedOut;
      pthread_mutex_unlock(&b->lock);
      if (t != NULL) Finish(t, kTimedOut);
    }
  }
}

static void *Owner(void *arg) {
  Create(1, 10);
  Commit(1);
  return arg;
}

static void *Timer(void *arg) {
  FlushClaimingLate(20);
  return arg;
}

int main(void) { RunTransactions(Owner, Timer); }
