// Epoch reclamation that frees an epoch too early. Found with either --reuse.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=use-after-free
// heddle: check --reuse now
// expect: verdict=bug kind=use-after-free
// heddle: check --reuse now --keep-going
// expect: verdict=bug kinds=use-after-free complete=true
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

struct object {
  int valid;
};
static struct object* _Atomic current;
static atomic_int epoch, in;
static struct object* Make(void) {
  struct object* o = malloc(sizeof *o);
  o->valid = 1;
  return o;
}
static void* Reader(void* x) {
  in = epoch + 1;
  struct object* o = current;
  assert(o->valid == 1);
  in = 0;
  return x;
}
static void* Writer(void* x) {
  struct object* o = atomic_exchange(&current, Make());
  int e = ++epoch;
  if (in == 0 || in >= e) free(o);
  struct object* p = Make();
  free(p);
  return x;
}
int main(void) {
  current = Make();
  const Body bodies[] = {Reader, Writer};
  RunThreads(2, bodies);
}
