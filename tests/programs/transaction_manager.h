// A transaction manager: transactions in flight stand in a hash table with a lock for each bucket. One thread creates, commits and
// deletes them, a timer ends those whose time is up.
//
// Who ends a transaction claims it first, under the lock of its bucket: its state is no longer kActive. Then it tells the owner,
// without the lock, because that takes long, and in the end takes it out of the table. So each transaction is ended once.
//
// A wrong program runs its threads with a function of its own in place of Commit or Flush.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "run_threads.h"

enum { kBuckets = 2, kMostTransactions = 4 };

typedef enum { kActive, kCommitted, kDeleted, kTimedOut } State;

typedef struct Transaction {
  int id;
  int deadline;
  State state;
  struct Transaction *next;
} Transaction;

typedef struct {
  pthread_mutex_t lock;
  Transaction *first;
} Bucket;

static Bucket table[kBuckets] = {{PTHREAD_MUTEX_INITIALIZER, NULL}, {PTHREAD_MUTEX_INITIALIZER, NULL}};
static bool created[kMostTransactions];
static atomic_int told[kMostTransactions];  // how each ended; kActive: nobody has said

static inline Bucket *BucketOf(int id) { return &table[id % kBuckets]; }

// Of these two: with the lock of the bucket.
static inline Transaction *Find(int id) {
  Transaction *t = BucketOf(id)->first;
  while (t != NULL && t->id != id) t = t->next;
  return t;
}

static inline void Unlink(Transaction *t) {
  Transaction **at = &BucketOf(t->id)->first;
  while (*at != t) at = &(*at)->next;
  *at = t->next;
}

static inline void Create(int id, int deadline) {
  Transaction *t = malloc(sizeof *t);
  Bucket *b = BucketOf(id);
  created[id] = true;
  pthread_mutex_lock(&b->lock);
  *t = (Transaction){id, deadline, kActive, b->first};
  b->first = t;
  pthread_mutex_unlock(&b->lock);
}

// Tells the owner, and forgets the transaction. Of who claimed it.
static inline void Finish(Transaction *t, State how) {
  Bucket *b = BucketOf(t->id);
  State before = atomic_exchange(&told[t->id], how);
  assert(before == kActive);  // nobody has told the owner of another end
  pthread_mutex_lock(&b->lock);
  Unlink(t);
  pthread_mutex_unlock(&b->lock);
  free(t);
}

// False if it timed out before.
static inline bool End(int id, State how) {
  Bucket *b = BucketOf(id);
  pthread_mutex_lock(&b->lock);
  Transaction *t = Find(id);
  bool ours = t != NULL && t->state == kActive;
  if (ours) t->state = how;
  pthread_mutex_unlock(&b->lock);
  if (ours) Finish(t, how);
  return ours;
}

static inline bool Commit(int id) { return End(id, kCommitted); }
static inline bool Delete(int id) { return End(id, kDeleted); }

// Of the timer: ends what is active and was to be through before `now`.
static inline void Flush(int now) {
  for (Bucket *b = table; b < table + kBuckets; b++) {
    for (;;) {
      pthread_mutex_lock(&b->lock);
      Transaction *t = b->first;
      while (t != NULL && !(t->state == kActive && t->deadline < now)) t = t->next;
      if (t != NULL) t->state = kTimedOut;
      pthread_mutex_unlock(&b->lock);
      if (t == NULL) break;
      Finish(t, kTimedOut);
    }
  }
}

// The two threads, and that every transaction had an end.
static inline void RunTransactions(Body owner, Body timer) {
  RunThreads(2, (Body[]){owner, timer});
  for (int id = 0; id < kMostTransactions; id++) assert(!created[id] || told[id] != kActive);
  for (int i = 0; i < kBuckets; i++) assert(table[i].first == NULL);
}
