// A seeded bug of the transaction manager: the timer goes along a bucket, gives the lock up to end a transaction, and goes on behind
// it, where a pointer from before leads: to a transaction that its owner has deleted and freed meanwhile. The owner has to be
// interrupted when it has created both, and the timer while it has no lock.
// compilers: gcc clang
// heddle: check --order context-bounded
// expect: verdict=bug kind=use-after-free preemptions=2 location=@walks
// expect: guarantee~"any other bug needs at least 2 preemptions"
// heddle: check --bound preemptions=1
// expect: verdict=clean complete=true completed_bound=1 guarantee~"any bug left needs at least 2 preemptions"
#include "transaction_manager.h"

static void FlushWalkingOn(int now) {
  for (Bucket *b = table; b < table + kBuckets; b++) {
    pthread_mutex_lock(&b->lock);
    for (Transaction *t = b->first, *next; t != NULL; t = next) {
      next = t->next;  // @walks
      if (t->state != kActive || t->deadline >= now) continue;
      t->state = kTimedOut;
      pthread_mutex_unlock(&b->lock);
      Finish(t, kTimedOut);
      pthread_mutex_lock(&b->lock);
    }
    pthread_mutex_unlock(&b->lock);
  }
}

static void *Owner(void *arg) {
  Create(1, 30);
  Create(3, 10);
  Delete(1);
  Delete(3);
  return arg;
}

static void *Timer(void *arg) {
  FlushWalkingOn(20);
  return arg;
}

int main(void) {
  RunTransactions(Owner, Timer);
}
