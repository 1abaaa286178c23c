// A work-stealing queue with the THE protocol of Cilk-5 (Frigo, Leiserson, Randall, PLDI'98), in a bounded circular buffer,
// and what runs it: an owner, which pushes items at the tail and pops them there again, and a thief, which steals at the head.
//
// Both raise or lower their own index first and look at the other's then, so of two that want the last item at least one sees
// the other. Then the lock decides: thieves always hold it, the owner takes it only when it sees a thief. This relies on
// sequential consistency.
//
// A wrong program gives RunQueue a function of its own in place of one of Push, Pop and Steal.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "run_threads.h"

enum { kNoItem = 0, kMostItems = 16 };

static atomic_int head, tail;  // items are those at head .. tail - 1
static pthread_mutex_t thieves = PTHREAD_MUTEX_INITIALIZER;
static int size;  // how many items fit
static int slots[kMostItems + 1];

// There is one slot more than items fit: a thief raises `head` before it reads its item, or sees that there is none. So the owner
// may take one item more for stolen than is, and must not fill the slot of that one. When the thief raises `head` once more, it has
// read that slot, so nothing more is needed to order the plain accesses.
static inline int *Slot(int index) { return &slots[index % (size + 1)]; }

// False if the queue is full. Of the owner.
static inline bool Push(int item) {
  int t = tail;
  if (t - head >= size) return false;
  *Slot(t) = item;
  tail = t + 1;
  return true;
}

// The item pushed last, or kNoItem. Of the owner.
static inline int Pop(void) {
  int t = tail - 1;
  tail = t;
  if (head <= t) return *Slot(t);
  tail = t + 1;  // a thief is after the same item, or there is none
  pthread_mutex_lock(&thieves);
  tail = t;
  int item = kNoItem;
  if (head <= t)
    item = *Slot(t);  // the thief gave way
  else
    tail = t + 1;
  pthread_mutex_unlock(&thieves);
  return item;
}

// The item pushed first, or kNoItem. Of thieves.
static inline int Steal(void) {
  if (head >= tail) return kNoItem;  // without the lock, so that thieves who find nothing disturb nobody
  pthread_mutex_lock(&thieves);
  int h = head, item = kNoItem;
  head = h + 1;
  if (h + 1 <= tail)
    item = *Slot(h);
  else
    head = h;  // the owner was faster
  pthread_mutex_unlock(&thieves);
  return item;
}

typedef struct {
  bool (*push)(int item);
  int (*pop)(void);
  int (*steal)(void);
} Functions;

static Functions functions;
static int pushes, steals;
static int popped[kMostItems + 1], stolen[kMostItems + 1];  // how often each item was

static inline void PopAll(void) {
  for (int item; (item = functions.pop()) != kNoItem;) popped[item]++;
}

static inline void *Own(void *arg) {
  for (int item = 1; item <= pushes; item++)
    while (!functions.push(item)) PopAll();
  PopAll();
  return arg;
}

static inline void *BeThief(void *arg) {
  for (int i = 0; i < steals; i++) stolen[functions.steal()]++;
  return arg;
}

// The owner pushes argv[2] items into a queue for argv[1], and pops what is there when it is full and in the end; the thief
// tries argv[3] times. Somebody must get every item, and nobody an item that somebody else has.
static inline void RunQueue(int argc, char **argv, Functions of) {
  assert(argc == 4);
  size = atoi(argv[1]);
  pushes = atoi(argv[2]);
  steals = atoi(argv[3]);
  assert(size <= kMostItems && pushes <= kMostItems);
  functions = of;
  RunThreads(2, (Body[]){Own, BeThief});
  for (int item = 1; item <= pushes; item++) {
    assert(popped[item] + stolen[item] >= 1);  // lost
    assert(popped[item] + stolen[item] <= 1);  // twice
  }
}
