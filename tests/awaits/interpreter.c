// Runs one generated program of awaits_test.py: its argument has a word for each thread, a letter
// and digits for each operation. What every thread has read is the outcome; threads that never come
// to an end are a livelock.
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { kMostThreads = 4, kObjects = 3 };

static atomic_int memory[kObjects];
static int plain[kObjects];
static char seen[kMostThreads][64];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// Loops that keep a copy of what they found, of each thread its own, in functions of their own, so that it lies at a
// place that the code tells. `D` and `E` overwrite it before anything reads it; the others read what the last round left.
#define COPIES(n)                                                                                \
  static int copy##n, second##n;                                                                 \
  static __attribute__((noinline)) void Overwrite##n(atomic_int* word, int value) {              \
    while ((copy##n = atomic_load(word)) != value) {}                                            \
  }                                                                                              \
  static __attribute__((noinline)) void OverwriteInOneWay##n(atomic_int* word, int value) {      \
    for (;;) {                                                                                   \
      const int found = atomic_load(word);                                                       \
      if (found == value) copy##n = 5;                                                           \
      if (found == value) return;                                                                \
      copy##n = found, second##n = 1;                                                            \
    }                                                                                            \
  }                                                                                              \
  static __attribute__((noinline)) int ReadLater##n(atomic_int* word, int value) {               \
    int found;                                                                                   \
    while ((found = atomic_load(word)) != value) copy##n = found;                                \
    return copy##n;                                                                              \
  }                                                                                              \
  static __attribute__((noinline)) int ReadBefore##n(atomic_int* word, int value) {              \
    int before;                                                                                  \
    do {                                                                                         \
      before = copy##n;                                                                          \
      copy##n = atomic_load(word);                                                               \
    } while (copy##n != value);                                                                  \
    return before;                                                                               \
  }                                                                                              \
  static __attribute__((noinline)) int ReadInOneWay##n(atomic_int* word, int value, int other) { \
    for (;;) {                                                                                   \
      const int found = atomic_load(word);                                                       \
      if (found == value) {                                                                      \
        copy##n = 6;                                                                             \
        return 6;                                                                                \
      }                                                                                          \
      if (found == other && copy##n == 2) return 7;                                              \
      copy##n = found;                                                                           \
    }                                                                                            \
  }                                                                                              \
  static __attribute__((noinline)) void OverwriteHalf##n(atomic_int* word, int value) {          \
    for (;;) {                                                                                   \
      const int found = atomic_load(word);                                                       \
      if (found == value) break;                                                                 \
      copy##n = found * 0x10001;                                                                 \
    }                                                                                            \
    *(volatile char*)&copy##n = 0;                                                               \
  }
COPIES(0)
COPIES(1)
COPIES(2)
COPIES(3)
#define OF_THREAD(function, ...)            \
  (thread == 0   ? function##0(__VA_ARGS__) \
   : thread == 1 ? function##1(__VA_ARGS__) \
   : thread == 2 ? function##2(__VA_ARGS__) \
                 : function##3(__VA_ARGS__))
static int CopyOf(int thread) { return (int[]){copy0, copy1, copy2, copy3}[thread]; }

static int Digit(const char** at) { return *(*at)++ - '0'; }

static void Note(int thread, int value) {
  const size_t length = strlen(seen[thread]);
  if (length + 2 < sizeof seen[thread]) seen[thread][length] = (char)('0' + value);
}

static void Run(int thread, const char* at) {
  while (*at != '\0') {
    const char operation = *at++;
    const int object = Digit(&at);
    const int value = Digit(&at);
    const int other = Digit(&at);
    atomic_int* word = &memory[object];
    switch (operation) {
      case 's': atomic_store(word, value); break;
      case 'r': atomic_store_explicit(word, value, memory_order_relaxed); break;
      case 'l': Note(thread, atomic_load(word)); break;
      case 'a': Note(thread, atomic_fetch_add(word, 1) & 7); break;
      case 'e': Note(thread, atomic_exchange(word, value)); break;
      case 'c': {
        int expected = value;
        Note(thread, atomic_compare_exchange_strong(word, &expected, other));
        break;
      }
      // Waits for one object: rounds that were made in vain leave no trace.
      case 'W': while (atomic_load(word) != value) {} break;
      case 'N': while (atomic_load(word) == value) {} break;
      case 'G': while (atomic_load_explicit(word, memory_order_relaxed) < value) {} break;
      case 'Y': while (atomic_load(word) != value) sched_yield(); break;
      case 'P': {  // looks at plain memory on the way
        while (atomic_load(word) != value)
          if (plain[other % kObjects] == 7) break;
        break;
      }
      case 'O': {  // two ways out
        int found;
        do found = atomic_load(word); while (found != value && found != other);
        Note(thread, found);
        break;
      }
      case 'V': {  // sees what it found in vain
        int last = 0, found;
        while ((found = atomic_load(word)) != value) last = found;
        Note(thread, last);
        break;
      }
      case 'F': {  // fails where it found `other`
        int found;
        while ((found = atomic_load(word)) != value) assert(found != other);
        break;
      }
      case 'C': {  // a lock by compare-exchange
        int expected = value;
        while (!atomic_compare_exchange_weak(word, &expected, other)) expected = value;
        break;
      }
      case 'D': OF_THREAD(Overwrite, word, value); break;
      case 'E': OF_THREAD(OverwriteInOneWay, word, value); break;
      case 'H': Note(thread, OF_THREAD(ReadLater, word, value)); break;
      case 'I': Note(thread, OF_THREAD(ReadBefore, word, value)); break;
      case 'J': Note(thread, OF_THREAD(ReadInOneWay, word, value, other)); break;
      case 'K': {
        OF_THREAD(OverwriteHalf, word, value);
        Note(thread, CopyOf(thread) != 0);
        break;
      }
      // Two objects: not of that kind.
      case 'T': while (atomic_load(word) != value && atomic_load(&memory[(object + 1) % kObjects]) != other) {} break;
      case 'B': while (atomic_load(word) != value || atomic_load(&memory[(object + 1) % kObjects]) != other) {} break;
      case 'X': while (atomic_exchange(word, 1) != 0) while (atomic_load(word) != 0) {} break;
      // Locks that yield while they are taken: how often they are found taken is part of the graph, and costs nothing.
      case 'S': {
        int waited = 0;
        while (atomic_exchange(word, 1) != 0) {
          waited = 1;
          sched_yield();
        }
        Note(thread, waited);
        atomic_store(word, 0);
        break;
      }
      case 'Z': {
        int waited = 0;
        while (atomic_exchange(word, 1) != 0) {
          waited = 1;
          while (atomic_load(word) != 0) sched_yield();
        }
        Note(thread, waited);
        atomic_store(word, 0);
        break;
      }
      case 'U': {
        int waited = 0;
        for (int expected = 0; !atomic_compare_exchange_strong(word, &expected, 1); expected = 0) {
          waited = 1;
          sched_yield();
        }
        Note(thread, waited);
        atomic_store(word, 0);
        break;
      }
      case 'y': sched_yield(); break;
      case 'p': plain[object] = value; break;
      case 'q': Note(thread, plain[object]); break;
      case 'm': pthread_mutex_lock(&mutex); Note(thread, atomic_load(word)); pthread_mutex_unlock(&mutex); break;
    }
  }
}

static const char* programs[kMostThreads];

static void* Thread(void* number) {
  Run((int)(long)number, programs[(long)number]);
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[kMostThreads];
  const int count = argc - 1;
  for (int i = 0; i < count; ++i) programs[i] = argv[i + 1];
  for (int i = 1; i < count; ++i) pthread_create(&threads[i], NULL, Thread, (void*)(long)i);
  if (count > 0) Run(0, programs[0]);
  for (int i = 1; i < count; ++i) pthread_join(threads[i], NULL);
  char outcome[256] = "";
  for (int i = 0; i < count; ++i) {
    strcat(outcome, seen[i]);
    strcat(outcome, "/");
  }
  for (int i = 0; i < kObjects; ++i) {
    const size_t length = strlen(outcome);
    outcome[length] = (char)('0' + memory[i]);
  }
  heddle_outcome("%s", outcome);
  return 0;
}
