// Runs one program of the oracle on real threads: interpreter SETUP THREAD...
//
// SETUP says how the objects are before main (machine.h). A THREAD is its instructions as program.h
// prints them, "name rREGISTER oOBJECT/OBJECT2 VALUE,VALUE2; ..."; the first is main's. What they
// mean is said in instructions.def. Everything that heddle may see stands in a function of its own,
// so that the report's location names the operation; the rest, and the registers, it must not see.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "machine.h"

#define VISIBLE __attribute__((noinline))
#define UNSEEN __attribute__((no_sanitize("thread")))

enum Code {
#define INSTRUCTION(code, name) code,
#include "instructions.def"
#undef INSTRUCTION
  kCodes
};

static const char *const names[] = {
#define INSTRUCTION(code, name) name,
#include "instructions.def"
#undef INSTRUCTION
};

struct Instruction {
  enum Code code;
  unsigned reg, object, object2;
  int value, value2;
};

struct Thread {
  struct Instruction code[kMostInstructions];
  int length;
  int by_exit;  // an instruction, or main's end, ends the program
  pthread_t handle;
};

typedef unsigned __int128 Wide;

static struct Thread threads[kMostThreads];
static struct LabelThread known[kMostThreads];
static unsigned thread_count;
static __thread unsigned self;

static _Alignas(16) uint8_t atomics[kAtomicBytes];
static _Alignas(16) uint8_t plain[kPlainBytes];
static pthread_mutex_t mutexes[kMutexes];
static pthread_cond_t conditions[kConditions];
static sem_t semaphores[kSemaphores];
static pthread_barrier_t barriers[kBarriers];
static pthread_rwlock_t rwlocks[kRwLocks];
static pthread_once_t onces[kOnces];
static const struct timespec deadline = {.tv_sec = 4000000000};

static void Refuse(const char *what) {
  fprintf(stderr, "interpreter: cannot read: %s\n", what);
  _exit(2);
}

static Wide Pattern(int value) {
  const uint64_t half = 0x0101010101010101u * (uint8_t)value;
  return (Wide)half << 64 | half;
}

// ---- memory ----

// The compiler must not know that it may be an odd address: it would call libatomic for that.
static void *At(unsigned at) { return &atomics[at]; }

#define FOR_SIZES(WHAT) WHAT(1, uint8_t) WHAT(2, uint16_t) WHAT(4, uint32_t) WHAT(8, uint64_t) WHAT(16, Wide)

VISIBLE static Wide Load(unsigned at, unsigned size) {
  switch (size) {
#define LOAD(bytes, type) \
  case bytes:             \
    return __atomic_load_n((type *)At(at), __ATOMIC_SEQ_CST);
    FOR_SIZES(LOAD)
  }
  return 0;
}

VISIBLE static void Store(unsigned at, unsigned size, Wide value) {
  switch (size) {
#define STORE(bytes, type)                                                     \
  case bytes:                                                                  \
    __atomic_store_n((type *)At(at), (type)value, __ATOMIC_SEQ_CST); \
    return;
    FOR_SIZES(STORE)
  }
}

VISIBLE static Wide Exchange(unsigned at, unsigned size, Wide value) {
  switch (size) {
#define EXCHANGE(bytes, type) \
  case bytes:                 \
    return __atomic_exchange_n((type *)At(at), (type)value, __ATOMIC_SEQ_CST);
    FOR_SIZES(EXCHANGE)
  }
  return 0;
}

VISIBLE static Wide FetchAdd(unsigned at, unsigned size, Wide value) {
  switch (size) {
#define FETCH_ADD(bytes, type) \
  case bytes:                  \
    return __atomic_fetch_add((type *)At(at), (type)value, __ATOMIC_SEQ_CST);
    FOR_SIZES(FETCH_ADD)
  }
  return 0;
}

VISIBLE static int CompareExchange(unsigned at, unsigned size, Wide expected, Wide desired) {
  switch (size) {
#define COMPARE_EXCHANGE(bytes, type)                                                             \
  case bytes: {                                                                                   \
    type value = (type)expected;                                                                  \
    return __atomic_compare_exchange_n((type *)At(at), &value, (type)desired, 0,            \
                                       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                       \
  }
    FOR_SIZES(COMPARE_EXCHANGE)
  }
  return 0;
}

// Volatile: one access each.
VISIBLE static uint64_t PlainLoad(unsigned at, unsigned size) {
  switch (size) {
    case 1: return *(uint8_t *)&plain[at];
    case 2: return *(uint16_t *)&plain[at];
    case 4: return *(uint32_t *)&plain[at];
    case 8: return *(uint64_t *)&plain[at];
  }
  return 0;
}

VISIBLE static void PlainStore(unsigned at, unsigned size, uint64_t value) {
  switch (size) {
    case 1: *(uint8_t *)&plain[at] = (uint8_t)value; return;
    case 2: *(uint16_t *)&plain[at] = (uint16_t)value; return;
    case 4: *(uint32_t *)&plain[at] = (uint32_t)value; return;
    case 8: *(uint64_t *)&plain[at] = value; return;
  }
}

// ---- objects; the report's location is one of these functions ----

static void *Run(void *argument);

VISIBLE static void thread_create(unsigned t) {
  pthread_create(&threads[t].handle, NULL, Run, &threads[t]);
}
VISIBLE static int thread_join(unsigned t) { return pthread_join(threads[t].handle, NULL); }
VISIBLE static int thread_tryjoin(unsigned t) { return pthread_tryjoin_np(threads[t].handle, NULL); }
VISIBLE static int thread_timedjoin(unsigned t) {
  return pthread_timedjoin_np(threads[t].handle, NULL, &deadline);
}
VISIBLE static int thread_detach(unsigned t) { return pthread_detach(threads[t].handle); }

VISIBLE static int mutex_lock(pthread_mutex_t *m) { return pthread_mutex_lock(m); }
VISIBLE static int mutex_trylock(pthread_mutex_t *m) { return pthread_mutex_trylock(m); }
VISIBLE static int mutex_timedlock(pthread_mutex_t *m) {
  return pthread_mutex_timedlock(m, &deadline);
}
VISIBLE static int mutex_unlock(pthread_mutex_t *m) { return pthread_mutex_unlock(m); }
VISIBLE static int mutex_consistent(pthread_mutex_t *m) { return pthread_mutex_consistent(m); }
VISIBLE static int mutex_destroy(pthread_mutex_t *m) { return pthread_mutex_destroy(m); }
VISIBLE static void mutex_init(unsigned which) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  if (which == kRobust) pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutexes[which], &attributes);
}

VISIBLE static int condition_wait(pthread_cond_t *c, pthread_mutex_t *m) {
  return pthread_cond_wait(c, m);
}
VISIBLE static int condition_timedwait(pthread_cond_t *c, pthread_mutex_t *m) {
  return pthread_cond_timedwait(c, m, &deadline);
}
VISIBLE static void condition_signal(pthread_cond_t *c) { pthread_cond_signal(c); }
VISIBLE static void condition_broadcast(pthread_cond_t *c) { pthread_cond_broadcast(c); }
VISIBLE static void condition_init(pthread_cond_t *c) { pthread_cond_init(c, NULL); }
VISIBLE static void condition_destroy(pthread_cond_t *c) { pthread_cond_destroy(c); }

VISIBLE static int Errno(int status) { return status == 0 ? 0 : errno; }
VISIBLE static int semaphore_wait(sem_t *s) { return Errno(sem_wait(s)); }
VISIBLE static int semaphore_trywait(sem_t *s) { return Errno(sem_trywait(s)); }
VISIBLE static int semaphore_timedwait(sem_t *s) { return Errno(sem_timedwait(s, &deadline)); }
VISIBLE static void semaphore_post(sem_t *s) { sem_post(s); }
VISIBLE static int semaphore_value(sem_t *s) {
  int value = 0;
  sem_getvalue(s, &value);
  return value;
}
VISIBLE static void semaphore_init(sem_t *s, int value) { sem_init(s, 0, (unsigned)value); }
VISIBLE static void semaphore_destroy(sem_t *s) { sem_destroy(s); }

VISIBLE static int barrier_wait(pthread_barrier_t *b) {
  return pthread_barrier_wait(b) == PTHREAD_BARRIER_SERIAL_THREAD;
}
VISIBLE static void barrier_init(pthread_barrier_t *b, int value) {
  pthread_barrier_init(b, NULL, (unsigned)value);
}
VISIBLE static void barrier_destroy(pthread_barrier_t *b) { pthread_barrier_destroy(b); }

VISIBLE static int rwlock_read(pthread_rwlock_t *l) { return pthread_rwlock_rdlock(l); }
VISIBLE static int rwlock_write(pthread_rwlock_t *l) { return pthread_rwlock_wrlock(l); }
VISIBLE static int rwlock_tryread(pthread_rwlock_t *l) { return pthread_rwlock_tryrdlock(l); }
VISIBLE static int rwlock_trywrite(pthread_rwlock_t *l) { return pthread_rwlock_trywrlock(l); }
VISIBLE static int rwlock_timedread(pthread_rwlock_t *l) {
  return pthread_rwlock_timedrdlock(l, &deadline);
}
VISIBLE static int rwlock_timedwrite(pthread_rwlock_t *l) {
  return pthread_rwlock_timedwrlock(l, &deadline);
}
VISIBLE static void rwlock_unlock(pthread_rwlock_t *l) { pthread_rwlock_unlock(l); }
VISIBLE static void rwlock_init(pthread_rwlock_t *l) { pthread_rwlock_init(l, NULL); }
VISIBLE static void rwlock_destroy(pthread_rwlock_t *l) { pthread_rwlock_destroy(l); }

static void AddOne(void) { FetchAdd(kOnceByte, 4, 1); }
VISIBLE static void once_call(pthread_once_t *o) { pthread_once(o, AddOne); }

// A line for each thread: heddle tells failed assertions apart by their place.
VISIBLE static void Fail(unsigned t) {
  switch (t) {
    case 0: assert(!"thread 0");
    case 1: assert(!"thread 1");
    case 2: assert(!"thread 2");
    case 3: assert(!"thread 3");
    case 4: assert(!"thread 4");
  }
}

// ---- the interpreter ----

UNSEEN static uint64_t Do(const struct Instruction *i, uint64_t in) {
  const unsigned o = i->object, p = i->object2;
  const Wide pattern = Pattern(i->value);
  switch (i->code) {
    case kExit: threads[self].by_exit = 1; exit(i->value);
    case kExitNow: _exit(i->value);
    case kAbort: abort();
    case kAssertEqual: if (in != (uint64_t)i->value) Fail(self); return in;
    case kAssertNot: if (in == (uint64_t)i->value) Fail(self); return in;
    case kAssume: heddle_assume(in == (uint64_t)i->value); return in;
    case kCreate: known[o].created = 1; thread_create(o); return in;
    case kJoin: {
      const int status = thread_join(o);
      if (status == 0) known[o].joined_by = (uint8_t)self;
      return (uint64_t)status;
    }
    case kTryJoin: {
      const int status = thread_tryjoin(o);
      if (status == 0) known[o].joined_by = (uint8_t)self;
      return (uint64_t)status;
    }
    case kTimedJoin: {
      const int status = thread_timedjoin(o);
      if (status == 0) known[o].joined_by = (uint8_t)self;
      return (uint64_t)status;
    }
    case kDetach: return (uint64_t)thread_detach(o);
    case kThreadExit: pthread_exit(NULL);
    case kLoad:
    case kExchange: {
      const Wide value = i->code == kLoad ? Load(o, p) : Exchange(o, p, pattern);
      return (uint64_t)value + 3 * (uint64_t)(value >> 64);
    }
    case kStore: Store(o, p, pattern); return in;
    case kFetchAdd: {
      const Wide value = FetchAdd(o, p, pattern);
      return (uint64_t)value + 3 * (uint64_t)(value >> 64);
    }
    case kCompareExchange: return (uint64_t)CompareExchange(o, p, pattern, Pattern(i->value2));
    case kCompareExchangeLoaded: return (uint64_t)CompareExchange(o, p, in, Pattern(i->value2));
    case kPlainLoad: return PlainLoad(o, p);
    case kPlainStore: PlainStore(o, p, (uint64_t)pattern); return in;
    case kLock: return (uint64_t)mutex_lock(&mutexes[o]);
    case kTryLock: return (uint64_t)mutex_trylock(&mutexes[o]);
    case kTimedLock: return (uint64_t)mutex_timedlock(&mutexes[o]);
    case kUnlock: return (uint64_t)mutex_unlock(&mutexes[o]);
    case kConsistent: return (uint64_t)mutex_consistent(&mutexes[o]);
    case kMutexInit: mutex_init(o); return in;
    case kMutexDestroy: return (uint64_t)mutex_destroy(&mutexes[o]);
    case kCondWait: return (uint64_t)condition_wait(&conditions[o], &mutexes[p]);
    case kCondTimedWait: return (uint64_t)condition_timedwait(&conditions[o], &mutexes[p]);
    case kCondSignal: condition_signal(&conditions[o]); return in;
    case kCondBroadcast: condition_broadcast(&conditions[o]); return in;
    case kCondInit: condition_init(&conditions[o]); return in;
    case kCondDestroy: condition_destroy(&conditions[o]); return in;
    case kSemWait: return (uint64_t)semaphore_wait(&semaphores[o]);
    case kSemTryWait: return (uint64_t)semaphore_trywait(&semaphores[o]);
    case kSemTimedWait: return (uint64_t)semaphore_timedwait(&semaphores[o]);
    case kSemPost: semaphore_post(&semaphores[o]); return in;
    case kSemValue: return (uint64_t)semaphore_value(&semaphores[o]);
    case kSemInit: semaphore_init(&semaphores[o], i->value); return in;
    case kSemDestroy: semaphore_destroy(&semaphores[o]); return in;
    case kBarrierWait: return (uint64_t)barrier_wait(&barriers[o]);
    case kBarrierInit: barrier_init(&barriers[o], i->value); return in;
    case kBarrierDestroy: barrier_destroy(&barriers[o]); return in;
    case kReadLock: return (uint64_t)rwlock_read(&rwlocks[o]);
    case kWriteLock: return (uint64_t)rwlock_write(&rwlocks[o]);
    case kTryReadLock: return (uint64_t)rwlock_tryread(&rwlocks[o]);
    case kTryWriteLock: return (uint64_t)rwlock_trywrite(&rwlocks[o]);
    case kTimedReadLock: return (uint64_t)rwlock_timedread(&rwlocks[o]);
    case kTimedWriteLock: return (uint64_t)rwlock_timedwrite(&rwlocks[o]);
    case kRwUnlock: rwlock_unlock(&rwlocks[o]); return in;
    case kRwInit: rwlock_init(&rwlocks[o]); return in;
    case kRwDestroy: rwlock_destroy(&rwlocks[o]); return in;
    case kOnce: once_call(&onces[o]); return in;
    case kChoose: return heddle_choose((unsigned)i->value);
    case kHook: heddle_hook(); return in;
    case kYield: sched_yield(); return in;
    case kDone: heddle_done(); return in;
    case kAtomicBegin: heddle_atomic_begin(); return in;
    case kAtomicEnd: heddle_atomic_end(); return in;
    case kSet:
    case kSkipIf:
    case kSkipUnless:
    case kCodes: break;
  }
  Refuse("an instruction");
  return 0;
}

UNSEEN static void *Run(void *argument) {
  struct Thread *thread = argument;
  self = (unsigned)(thread - threads);
  for (int at = 0; at < thread->length; ++at) {
    const struct Instruction *i = &thread->code[at];
    const uint64_t in = i->reg == kDiscard ? 0 : known[self].registers[i->reg];
    uint64_t out = in;
    if (i->code == kSet)
      out = (uint64_t)i->value;
    else if (i->code == kSkipIf || i->code == kSkipUnless)
      at += (in == (uint64_t)i->value) == (i->code == kSkipIf) ? i->value2 : 0;
    else
      out = Do(i, in);
    if (i->reg != kDiscard) known[self].registers[i->reg] = out;
  }
  return NULL;
}

UNSEEN static void Label(void) {
  char text[256];
  WriteLabel(text, sizeof text, self, !threads[self].by_exit, known, atomics, plain);
  heddle_outcome("%s", text);
}

// ---- before main, so that it belongs to what every execution starts from ----

UNSEEN static void Parse(struct Thread *thread, const char *text) {
  char name[32];
  int used;
  while (text[0] != '\0' && text[0] != '\n') {
    struct Instruction *i = &thread->code[thread->length++];
    if (thread->length == kMostInstructions ||
        sscanf(text, "%31[^ ] r%u o%u/%u %d,%d; %n", name, &i->reg, &i->object, &i->object2,
               &i->value, &i->value2, &used) != 6)
      Refuse(text);
    int code = 0;
    while (code < kCodes && strcmp(name, names[code]) != 0) ++code;
    if (code == kCodes) Refuse(name);
    i->code = (enum Code)code;
    text += used;
  }
}

UNSEEN static void SetUp(const char *text) {
  int number[kSetupNumbers], used;
  for (int i = 0; i < kSetupNumbers; ++i, text += used)
    if (sscanf(text, "%d %n", &number[i], &used) != 1) Refuse(text);
  const int *at = number;
  for (unsigned i = 0; i < kMutexes; ++i)
    if (*at++ < 0)
      memset(&mutexes[i], kRawByte, sizeof mutexes[i]);
    else
      mutex_init(i);
  for (unsigned i = 0; i < kConditions; ++i)
    if (*at++ < 0) memset(&conditions[i], kRawByte, sizeof conditions[i]);
  for (unsigned i = 0; i < kSemaphores; ++i, ++at)
    if (*at < 0)
      memset(&semaphores[i], kRawByte, sizeof semaphores[i]);
    else
      sem_init(&semaphores[i], 0, (unsigned)*at);
  for (unsigned i = 0; i < kBarriers; ++i, ++at)  // raw: zero, which no barrier is
    if (*at >= 0) pthread_barrier_init(&barriers[i], NULL, (unsigned)*at);
  for (unsigned i = 0; i < kRwLocks; ++i)
    if (*at++ < 0) memset(&rwlocks[i], kRawByte, sizeof rwlocks[i]);
}

__attribute__((constructor)) UNSEEN static void Prepare(int argc, char **argv) {
  if (argc < 3 || argc > 2 + kMostThreads) Refuse("the number of arguments");
  SetUp(argv[1]);
  for (int i = 2; i < argc; ++i) Parse(&threads[thread_count++], argv[i]);
  for (unsigned t = 0; t < kMostThreads; ++t) known[t].joined_by = kNobody;
  known[0].created = 1;
  atexit(Label);
}

UNSEEN int main(void) {
  Run(&threads[0]);
  threads[0].by_exit = 1;
  return 0;
}
