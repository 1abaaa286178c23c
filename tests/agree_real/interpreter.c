// Runs one generated program on real threads: interpreter SEMAPHORE BARRIER THREAD...
//
// A THREAD is its instructions as tests/agree/generate.h prints them, "name rREG oOBJECT/OBJECT2
// VALUE,VALUE2; ..."; what they mean is said in src/target/fake_program.h. SEMAPHORE and BARRIER are
// the semaphore's initial value and the number of threads the barrier waits for. All variables
// start as 0. The outcome of an execution is the final value of every variable and register.
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMostThreads = 4, kMostInstructions = 64, kRegisters = 3, kObjects = 2, kZero = 255 };

enum Code {
#define INSTRUCTION(code, name) k##code,
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
  int registers[kRegisters];
};

static struct Thread threads[kMostThreads];
static int thread_count;

static atomic_int variables[kObjects];
static int plain[kObjects];
static pthread_mutex_t mutexes[kObjects] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static const struct timespec deadline = {.tv_sec = 4000000000};

static void Refuse(const char *what) {
  fprintf(stderr, "interpreter: cannot read: %s\n", what);
  exit(2);
}

static void Parse(struct Thread *thread, const char *text) {
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

// Before main, so that it belongs to what every execution starts from.
__attribute__((constructor)) static void Prepare(int argc, char **argv) {
  if (argc < 4 || argc > 3 + kMostThreads) Refuse("the number of arguments");
  sem_init(&semaphore, 0, (unsigned)atoi(argv[1]));
  pthread_barrier_init(&barrier, NULL, (unsigned)atoi(argv[2]));
  for (int i = 3; i < argc; ++i) Parse(&threads[thread_count++], argv[i]);
}

static void *Run(void *argument) {
  struct Thread *thread = argument;
  int registers[kRegisters] = {0};
  for (int at = 0; at < thread->length; ++at) {
    const struct Instruction *i = &thread->code[at];
    const int in = i->reg == kZero ? 0 : registers[i->reg];
    int out = in;
    switch (i->code) {
      case kLoad: out = atomic_load(&variables[i->object]); break;
      case kStore: atomic_store(&variables[i->object], in + i->value); break;
      case kFetchAdd: out = atomic_fetch_add(&variables[i->object], i->value); break;
      case kCompareExchange: {
        int expected = i->value;
        out = atomic_compare_exchange_strong(&variables[i->object], &expected, i->value2);
        break;
      }
      case kLock: pthread_mutex_lock(&mutexes[i->object]); break;
      case kTryLock: out = pthread_mutex_trylock(&mutexes[i->object]) == 0; break;
      case kUnlock: pthread_mutex_unlock(&mutexes[i->object]); break;
      case kSemWait: sem_wait(&semaphore); break;
      case kSemPost: sem_post(&semaphore); break;
      case kCondWait: pthread_cond_wait(&condition, &mutexes[i->object2]); break;
      case kCondSignal: pthread_cond_signal(&condition); break;
      case kCondBroadcast: pthread_cond_broadcast(&condition); break;
      case kYield: sched_yield(); break;
      case kChoose: out = (int)heddle_choose((unsigned)i->value); break;
      case kSemTryWait: out = sem_trywait(&semaphore) == 0; break;
      case kTimedLock: out = pthread_mutex_timedlock(&mutexes[i->object], &deadline) == 0; break;
      case kTimedSemWait: out = sem_timedwait(&semaphore, &deadline) == 0; break;
      case kTimedCondWait:
        out = pthread_cond_timedwait(&condition, &mutexes[i->object2], &deadline) == 0;
        break;
      case kReadLock: pthread_rwlock_rdlock(&rwlock); break;
      case kWriteLock: pthread_rwlock_wrlock(&rwlock); break;
      case kTryReadLock: out = pthread_rwlock_tryrdlock(&rwlock) == 0; break;
      case kTryWriteLock: out = pthread_rwlock_trywrlock(&rwlock) == 0; break;
      case kRwUnlock: pthread_rwlock_unlock(&rwlock); break;
      case kBarrier: pthread_barrier_wait(&barrier); break;
      case kSet: out = i->value; break;
      case kSkipIf:
        if (in == i->value) at += i->value2;
        break;
      case kAssertEqual: assert(in == i->value); break;
      case kAssertNot: assert(in != i->value); break;
      case kAssume: heddle_assume(in == i->value); break;
      case kPlainLoad: out = plain[i->object]; break;
      case kPlainStore: plain[i->object] = in + i->value; break;
      default: Refuse("an instruction that it can make");  // the others are those of the fake target only
    }
    if (i->reg != kZero) registers[i->reg] = out;
  }
  memcpy(thread->registers, registers, sizeof registers);
  return NULL;
}

int main(void) {
  pthread_t handles[kMostThreads];
  for (int t = 0; t < thread_count; ++t) pthread_create(&handles[t], NULL, Run, &threads[t]);
  for (int t = 0; t < thread_count; ++t) pthread_join(handles[t], NULL);
  char text[200];
  int length = snprintf(text, sizeof text, "%d %d %d %d", variables[0], variables[1], plain[0],
                        plain[1]);
  for (int t = 0; t < thread_count; ++t)
    for (int r = 0; r < kRegisters; ++r)
      length += snprintf(text + length, sizeof text - (size_t)length, "%s%d", r == 0 ? "; " : " ",
                         threads[t].registers[r]);
  heddle_outcome("%s", text);
  return 0;
}
