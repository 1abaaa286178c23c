// A compare-exchange that succeeds although the value was away and came back: the report says so.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=assertion location=@popped step="compare-exchanges top: &b -> &a"
// expect: step="ABA: was &a in between, by T1"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  struct node *next;
};
static struct node a, b = {&a};
static struct node *_Atomic top = &b;
static _Atomic int a_is_used;

static struct node *Pop(void) {
  struct node *first = top;
  while (first != NULL && !atomic_compare_exchange_strong(&top, &first, first->next)) {
  }
  return first;
}

static void *Reuses(void *unused) {
  struct node *first = Pop();  // b
  if (first != &b) return unused;
  struct node *second = Pop();  // a
  if (second != &a) return unused;
  a_is_used = 1;
  first->next = NULL;
  atomic_store(&top, first);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, Reuses, NULL);
  Pop();
  assert(!(a_is_used && atomic_load(&top) == &a));  // @popped
  pthread_join(thread, NULL);
}
