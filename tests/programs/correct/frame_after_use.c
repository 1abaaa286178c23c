// Objects in frames that return when nobody uses them any more, by all that may say so: no misuse, and no execution more than the
// compilers: gcc clang   opt: -O0 -O1 -O2
// objects ask for.
// lock: the owner takes the mutex after its user, who sets what it waits for inside: in each round it need not wait, or waits once.
// traces: 2 enumerated -- lock
// semaphore: main waits for T1's post, and returns: 1. That the post has not returned does not matter.
// traces: 1 enumerated -- semaphore
// barrier: who arrives first, 2; main returns while T1 may still be on its way out.
// traces: 2 enumerated -- barrier
// atomic: main waits for T1's store: 1.
// heddle: check -- atomic
// expect: verdict=clean complete=true happens_before=1
// join: T1 and T2 lock a mutex in the frame of the function that joins them: who comes first, 2.
// traces: 2 enumerated -- join
// again: the function is called twice, so its frames lie at the same place: 2 * 2.
// traces: 4 enumerated -- again
// alloca: a mutex in a frame that grows and shrinks below it, and one in memory from alloca: 2 * 2.
// traces: 4 enumerated -- alloca
// jump: the frame is left by longjmp, after its user was joined; then others lie there: 2 * 2.
// traces: 4 enumerated -- jump
// context: main's frame has a stack on which it goes on, with operations above what its own frames have: 2.
// heddle: check -- context
// expect: verdict=clean complete=true happens_before=2
// coroutine: the same on a stack in static memory, from a frame deeper than main's last operation: 2.
// heddle: check -- coroutine
// expect: verdict=clean complete=true happens_before=2
// stack: a thread runs on memory in main's frame, and lends what it has there: 2.
// traces: 2 enumerated -- stack
// signal: a handler runs on an alternative stack in main's frame, while its mutex is used: 2.
// traces: 2 enumerated -- signal
// heddle: check -- again
// expect: verdict=clean complete=true
// heddle: check -- jump
// expect: verdict=clean complete=true
// every search: none
#include <alloca.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "run_threads.h"

struct Objects {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  sem_t semaphore;
  pthread_barrier_t barrier;
  atomic_int flag;
  int set;
};

static const char *kind;
static jmp_buf back;
static pthread_t user;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;

static int Is(const char *name) { return strcmp(kind, name) == 0; }

static void *Use(void *arg) {
  struct Objects *objects = arg;
  if (Is("semaphore")) {
    sem_post(&objects->semaphore);
  } else if (Is("barrier")) {
    pthread_barrier_wait(&objects->barrier);
  } else if (Is("atomic")) {
    objects->flag = 1;
  } else {
    pthread_mutex_lock(&objects->mutex);
    objects->set++;
    pthread_cond_signal(&objects->condition);
    pthread_mutex_unlock(&objects->mutex);
  }
  return arg;
}

static void LockOther(void) {
  pthread_mutex_lock(&other);
  pthread_mutex_unlock(&other);
}

__attribute__((noinline)) static void LockDeep(void) {
  volatile char frame[4096];
  frame[0] = 1;
  LockOther();
  frame[1] = 1;
}

// Two threads use the objects; they have ended when this returns.
__attribute__((noinline)) static void LendToTwo(struct Objects *objects) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, Use, objects);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}

__attribute__((noinline)) static void Ask(void) {
  struct Objects own = {.mutex = PTHREAD_MUTEX_INITIALIZER, .condition = PTHREAD_COND_INITIALIZER};
  sem_init(&own.semaphore, 0, 0);
  pthread_barrier_init(&own.barrier, 0, 2);
  if (Is("alloca")) {
    LendToTwo(&own);
    struct Objects *further = alloca(sizeof own);
    *further = own;
    LockDeep();
    LendToTwo(further);
    return;
  }
  if (Is("join") || Is("again") || Is("jump")) {
    LendToTwo(&own);
    if (Is("jump")) longjmp(back, 1);
    return;
  }
  pthread_create(&user, 0, Use, &own);
  if (Is("semaphore")) {
    sem_wait(&own.semaphore);
  } else if (Is("barrier")) {
    pthread_barrier_wait(&own.barrier);
  } else if (Is("atomic")) {
    while (!own.flag) {
    }
  } else {
    pthread_mutex_lock(&own.mutex);
    while (!own.set) pthread_cond_wait(&own.condition, &own.mutex);
    pthread_mutex_unlock(&own.mutex);
  }
}

static ucontext_t main_context, other_context;
static char stack_memory[1 << 16];

// The mutex is in a frame below main's last operation when others use it.
static struct Objects *lent;
static void LendToTwoInContext(void) { LendToTwo(lent); }

__attribute__((noinline)) static void OnOtherStack(void *memory, size_t bytes, void (*run)(void)) {
  getcontext(&other_context);
  other_context.uc_stack.ss_sp = memory;
  other_context.uc_stack.ss_size = bytes;
  other_context.uc_link = &main_context;
  makecontext(&other_context, run, 0);
  swapcontext(&main_context, &other_context);
}

static void *LendOnOwnStack(void *arg) {
  struct Objects own = {.mutex = PTHREAD_MUTEX_INITIALIZER, .condition = PTHREAD_COND_INITIALIZER};
  LendToTwo(&own);
  return arg;
}

static void Handle(int number) {
  struct Objects own = {.mutex = PTHREAD_MUTEX_INITIALIZER, .condition = PTHREAD_COND_INITIALIZER};
  LendToTwo(&own);
  (void)number;
}

int main(int argc, char **argv) {
  char memory[1 << 16] __attribute__((aligned(4096)));
  kind = argc > 1 ? argv[1] : "again";
  memory[0] = 0;
  if (Is("context")) {
    struct Objects own = {.mutex = PTHREAD_MUTEX_INITIALIZER, .condition = PTHREAD_COND_INITIALIZER};
    lent = &own;
    LockDeep();
    OnOtherStack(memory, sizeof memory, LendToTwoInContext);
  } else if (Is("coroutine")) {
    LockOther();
    struct Objects own = {.mutex = PTHREAD_MUTEX_INITIALIZER, .condition = PTHREAD_COND_INITIALIZER};
    lent = &own;
    OnOtherStack(stack_memory, sizeof stack_memory, LendToTwoInContext);
  } else if (Is("stack")) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, memory, sizeof memory);
    pthread_create(&thread, &attributes, LendOnOwnStack, 0);
    pthread_join(thread, 0);
  } else if (Is("signal")) {
    stack_t alternative = {.ss_sp = memory, .ss_size = sizeof memory};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = Handle;
    action.sa_flags = SA_ONSTACK;
    sigaltstack(&alternative, 0);
    sigaction(SIGUSR1, &action, 0);
    raise(SIGUSR1);
  } else if (Is("jump")) {
    volatile int round = 0;
    if (setjmp(back) == 0 || round < 2) {
      round = round + 1;
      Ask();
    }
  } else {
    Ask();
    if (Is("again")) Ask();
  }
  if (user != 0) pthread_join(user, 0);
  LockOther();
}
