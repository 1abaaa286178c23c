// A Treiber stack that frees what it pops at once: another pop may be about to read it. Found with either --reuse.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=use-after-free execution=2
// heddle: check --reuse now
// expect: verdict=bug kind=use-after-free execution=2
// heddle: check --reuse now --keep-going
// expect: verdict=bug kinds=use-after-free complete=true
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

struct node {
  struct node* next;
};
static struct node* _Atomic top;
static void Push(void) {
  struct node* n = malloc(sizeof *n);
  n->next = top;
  while (!atomic_compare_exchange_strong(&top, &n->next, n))
    ;
}
static struct node* Pop(void) {
  struct node* o = top;
  while (o && !atomic_compare_exchange_strong(&top, &o, o->next))
    ;
  return o;
}
static void* A(void* x) {
  free(Pop());
  return x;
}
static void* B(void* x) {
  free(Pop());
  free(Pop());
  Push();
  return x;
}
int main(void) {
  Push();
  Push();
  const Body bodies[] = {A, B};
  RunThreads(2, bodies);
}
