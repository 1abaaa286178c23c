// A Treiber stack whose nodes are freed only when no reader looks at one; but a reader is none any more when it compares and
// exchanges, by an address that may have come back.
// compilers: gcc clang
// heddle: check
// expect: verdict=clean complete=true
// heddle: check --reuse now
// expect: verdict=bug kind=assertion location=@twice
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

struct node {
  struct node *next;
  int taken;
};
static struct node *_Atomic top;
static atomic_int readers;

static void Push(void) {
  struct node *made = malloc(sizeof *made);
  made->taken = 0;
  made->next = top;
  while (!atomic_compare_exchange_strong(&top, &made->next, made)) {
  }
}

static struct node *Pop(void) {
  for (;;) {
    readers++;
    struct node *first = top;
    struct node *next = first ? first->next : NULL;
    readers--;
    if (first == NULL || atomic_compare_exchange_strong(&top, &first, next)) return first;
  }
}

static void *PopOne(void *arg) {
  Pop();
  return arg;
}

static void *PopTwoPushOne(void *arg) {
  struct node *one = Pop(), *two = Pop();
  if (one && readers == 0) free(one);
  if (two) two->taken++;
  Push();
  return arg;
}

int main(void) {
  Push();
  Push();
  const Body bodies[] = {PopOne, PopTwoPushOne};
  RunThreads(2, bodies);
  for (struct node *node = top; node != NULL; node = node->next) assert(node->taken++ == 0);  // @twice
}
