// Concurrency Kit's fetch-and-store lock and ticket lock, which are asm statements all through: two
// threads, one critical section each. Whoever is second at the fetch-and-store lock finds it taken, and
// looks in vain until it is free, or free: 2 orders, 2 ways each.
// compilers: gcc clang
// traces: 8 enumerated -- ticket
// traces: 4 enumerated -- fas
// heddle: check --memory-model sc --leaks --uninitialised -- ticket
// expect: verdict=clean complete=true warnings=0
// heddle: check -- ticket
// expect: verdict=incomplete bugs=0
// heddle: check --memory-model sc --leaks --uninitialised -- fas
// expect: verdict=clean complete=true warnings=0
// heddle: check -- fas
// expect: verdict=incomplete bugs=0
// heddle: check -- none
// expect: verdict=bug kind=data-race location=@count
#include <ck_spinlock.h>
#include <string.h>

#include "run_threads.h"

static ck_spinlock_fas_t fas = CK_SPINLOCK_FAS_INITIALIZER;
static ck_spinlock_ticket_t ticket = CK_SPINLOCK_TICKET_INITIALIZER;
static int count;

static void *UnderFas(void *arg) {
  ck_spinlock_fas_lock(&fas);
  count++;
  ck_spinlock_fas_unlock(&fas);
  return arg;
}

static void *UnderTicket(void *arg) {
  ck_spinlock_ticket_lock(&ticket);
  count++;
  ck_spinlock_ticket_unlock(&ticket);
  return arg;
}

static void *UnderNothing(void *arg) {
  count++;  // @count
  return arg;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  RunSame(2, strcmp(argv[1], "fas") == 0      ? UnderFas
             : strcmp(argv[1], "ticket") == 0 ? UnderTicket
                                              : UnderNothing);
  assert(count == 2);
}
