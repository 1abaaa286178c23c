// Two threads offer and two answer, and wait by spinning: who offers sets the state from 0 to 1, who answers from 1 to 2, and then
// the one who offered gives it back. Each notes when it is through.
#pragma once

#include <stdatomic.h>

#include "run_threads.h"

static atomic_int state, order[4], done;

static void *Offer(void *name) {
  int expected;
  do {
    expected = 0;
  } while (!atomic_compare_exchange_strong(&state, &expected, 1));
  while (state != 2) {
  }
  state = 0;
  order[done++] = (int)(long)name;
  return 0;
}

static void *Answer(void *name) {
  int expected;
  do {
    expected = 1;
  } while (!atomic_compare_exchange_strong(&state, &expected, 2));
  order[done++] = (int)(long)name;
  return 0;
}

static void OfferAndAnswer(void) { RunThreads(4, (Body[]){Offer, Offer, Answer, Answer}); }
