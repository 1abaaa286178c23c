// A hazard pointer (Michael, TPDS 2004). A reader announces what it is about to use and looks whether that is still in place; who has
// replaced it looks whether anybody announced it: store buffering, so both need a full fence between (or seq_cst at all four,
// SEQ_CST=1); on x86 the exchange is one. A hazard that is withdrawn releases what was read, and who reclaims acquires that.
//
//                                          sc             tso            c11
// * strong                               : 8              8              8
// - USE_FENCE=acq_rel                    : 8              use-after-free use-after-free
// - SCAN_FENCE=acq_rel                   : 8              8              use-after-free
// - USE_FENCE=relaxed,SCAN_FENCE=relaxed : 8              use-after-free use-after-free
// - WITHDRAW=relaxed                     : use-after-free use-after-free use-after-free
// - SCAN=relaxed                         : use-after-free use-after-free use-after-free
// - SEQ_CST=1                            : 8              8              8
// - SEQ_CST=1,ANNOUNCE=release           : 8              use-after-free use-after-free
// - SEQ_CST=1,LOOK=acquire               : 8              use-after-free use-after-free
// - SEQ_CST=1,REPLACE=acq_rel            : 8              8              use-after-free
// - SEQ_CST=1,SCAN=acquire               : 8              8              use-after-free
#include <stdlib.h>

#include "classics.h"

#ifdef SEQ_CST
#define USE_FENCE relaxed
#define SCAN_FENCE relaxed
#ifndef ANNOUNCE
#define ANNOUNCE seq_cst
#endif
#ifndef LOOK
#define LOOK seq_cst
#endif
#ifndef REPLACE
#define REPLACE seq_cst
#endif
#ifndef SCAN
#define SCAN seq_cst
#endif
#endif

#ifndef USE_FENCE
#define USE_FENCE seq_cst
#endif
#ifndef SCAN_FENCE
#define SCAN_FENCE seq_cst
#endif
#ifndef ANNOUNCE
#define ANNOUNCE relaxed
#endif
#ifndef LOOK
#define LOOK relaxed
#endif
#ifndef REPLACE
#define REPLACE relaxed
#endif
#ifndef SCAN
#define SCAN acquire
#endif
#ifndef WITHDRAW
#define WITHDRAW release
#endif

static _Atomic(int*) current, hazard;

static void* Use(void* unused) {
  int* const seen = LOAD(current, acquire);
  STORE(hazard, seen, ANNOUNCE);
  FENCE(USE_FENCE);
  if (LOAD(current, LOOK) == seen && seen != NULL) assert(*seen == 1);
  STORE(hazard, NULL, WITHDRAW);
  return unused;
}

static void* Replace(void* unused) {
  int* const old = EXCHANGE(current, NULL, REPLACE);
  FENCE(SCAN_FENCE);
  if (LOAD(hazard, SCAN) != old) free(old);
  return unused;
}

int main(void) {
  int* const first = malloc(sizeof *first);
  *first = 1;
  STORE(current, first, relaxed);
  RunThreads(2, (Body[]){Use, Replace});
}
