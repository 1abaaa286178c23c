// Hazard pointers without the second look: what is announced may be freed already, and with --reuse now be another object.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=use-after-free message~"freed by T2 at"
// heddle: check --reuse now
// expect: verdict=bug kind=use-after-free message~"freed by T2 at"
// heddle: check --reuse now --keep-going
// expect: verdict=bug kinds=use-after-free complete=true message~"and has been allocated again"
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

struct object {
  int valid;
};
static struct object *_Atomic current, *_Atomic hazard;
static struct object* Make(void) {
  struct object* o = malloc(sizeof *o);
  o->valid = 1;
  return o;
}
static void* Reader(void* x) {
  struct object* o = current;
  hazard = o;
#ifdef FIXED
  while (o != current) {
    o = current;
    hazard = o;
  }
#endif
  assert(o->valid == 1);
  hazard = 0;
  return x;
}
static void* Writer(void* x) {
  for (int i = 0; i < 2; i++) {
    struct object* o = atomic_exchange(&current, Make());
    if (hazard != o) free(o);
  }
  return x;
}
int main(void) {
  current = Make();
  const Body bodies[] = {Reader, Writer};
  RunThreads(2, bodies);
}
