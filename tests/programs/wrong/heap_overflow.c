// Accesses beyond the end of a block and before its begin, exact to the byte, by each kind of access, ordered by a lock: no race has to come first.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check -- write
// expect: verdict=bug kind=heap-buffer-overflow executions=1 location=@write message~"T1 writes 4 bytes, 0 bytes after the end of block#1, 40 bytes, allocated by main at heap_overflow.c:"
// heddle: check --no-races -- write
// expect: verdict=bug kind=heap-buffer-overflow location=@write message~"T1 writes 4 bytes, 0 bytes after the end of block#1, 40 bytes"
// heddle: check --points all -- write
// expect: verdict=bug kind=heap-buffer-overflow location=@write
// heddle: check --visited states -- write
// expect: verdict=bug kind=heap-buffer-overflow location=@write
// heddle: check --rewind fork -- write
// expect: verdict=bug kind=heap-buffer-overflow location=@write
// heddle: check -- write_alone
// expect: verdict=bug kind=heap-buffer-overflow location=@write message~"main writes 4 bytes, 0 bytes after the end of block#1, 40 bytes"
// heddle: check -- read
// expect: verdict=bug kind=heap-buffer-overflow message~"T1 reads 4 bytes, 8 bytes after the end of block#1, 40 bytes"
// heddle: check -- read_alone
// expect: verdict=bug kind=heap-buffer-overflow message~"main reads 4 bytes, 8 bytes after the end of block#1"
// heddle: check -- write_before
// expect: verdict=bug kind=heap-buffer-underflow message~"T1 writes 4 bytes, 4 bytes before the begin of block#1, 40 bytes, allocated by main"
// heddle: check -- read_before_alone
// expect: verdict=bug kind=heap-buffer-underflow message~"main reads 1 byte, 1 byte before the begin of block#1, 40 bytes"
// Within the last eight bytes, of which some were asked for.
// heddle: check -- one
// expect: verdict=bug kind=heap-buffer-overflow message~"T1 writes 1 byte, 0 bytes after the end of block#1, 1 byte, allocated"
// heddle: check -- one_read_alone
// expect: verdict=bug kind=heap-buffer-overflow message~"main reads 1 byte, 6 bytes after the end of block#1, 1 byte, allocated"
// heddle: check -- partly
// expect: verdict=bug kind=heap-buffer-overflow message~"T1 reads 8 bytes, over the end of block#1, 13 bytes"
// heddle: check -- partly_alone
// expect: verdict=bug kind=heap-buffer-overflow message~"main reads 8 bytes, over the end of block#1, 13 bytes"
// heddle: check -- thirteenth
// expect: verdict=bug kind=heap-buffer-overflow message~"T1 reads 1 byte, 0 bytes after the end of block#1, 13 bytes"
// heddle: check -- nothing
// expect: verdict=bug kind=heap-buffer-overflow message~"T1 reads 1 byte, 0 bytes after the end of block#1, 0 bytes"
// What allocated it, and how it was resized.
// heddle: check -- shrunk
// expect: verdict=bug kind=heap-buffer-overflow message~"T1 reads 1 byte, 0 bytes after the end of block#1, 20 bytes"
// heddle: check -- grown
// expect: verdict=bug kind=heap-buffer-overflow message~"T1 writes 4 bytes, 0 bytes after the end of block#1, 44 bytes"
// heddle: check -- stale
// expect: verdict=bug kind=use-after-free message~"T1 reads" message~"freed by main at heap_overflow.c:" message~", allocated by main at heap_overflow.c:"
// heddle: check -- zeroed
// expect: verdict=bug kind=heap-buffer-overflow message~"0 bytes after the end of block#1, 21 bytes"
// heddle: check -- aligned
// expect: verdict=bug kind=heap-buffer-overflow message~"0 bytes after the end of block#1, 72 bytes"
// heddle: check -- aligned_before
// expect: verdict=bug kind=heap-buffer-underflow message~"1 byte before the begin of block#1, 72 bytes"
// heddle: check -- large
// expect: verdict=bug kind=heap-buffer-overflow message~"T1 writes 1 byte, 0 bytes after the end of block#1, 2097157 bytes"
// heddle: check -- large_alone
// expect: verdict=bug kind=heap-buffer-overflow message~"main writes 1 byte, 0 bytes after the end of block#1, 2097152 bytes"
// heddle: check -- large_before
// expect: verdict=bug kind=heap-buffer-underflow message~"T1 writes 1 byte, 1 byte before the begin of block#1, 2097157 bytes"
// heddle: check -- flexible
// expect: verdict=bug kind=heap-buffer-overflow message~"T1 writes 4 bytes, 0 bytes after the end of " message~"20 bytes"
// heddle: check -- freed_before
// expect: verdict=bug kind=heap-buffer-underflow message~"T1 reads 1 byte, 1 byte before the begin of block#1, which was freed, allocated by main"
// By other accesses.
// heddle: check -- copy_to
// expect: verdict=bug kind=heap-buffer-overflow message~"T1 writes 44 bytes, over the end of block#1, 40 bytes"
// heddle: check -- copy_from_alone
// expect: verdict=bug kind=heap-buffer-overflow message~"main reads 44 bytes, over the end of block#1, 40 bytes"
// heddle: check -- copy_past_next
// expect: verdict=bug kind=heap-buffer-overflow message~"T1 writes 100 bytes, over the end of block#" message~", 40 bytes, allocated by main at"
// heddle: check -- set_before
// expect: verdict=bug kind=heap-buffer-underflow message~"T1 writes 8 bytes, 4 bytes before the begin of block#1, 40 bytes"
// heddle: check -- atomic
// expect: verdict=bug kind=heap-buffer-overflow message~"T1 stores atomic 4 bytes, 0 bytes after the end of block#1, 40 bytes"
// heddle: check -- atomic_before
// expect: verdict=bug kind=heap-buffer-underflow message~"T1 loads atomic 4 bytes, 4 bytes before the begin of block#1, 40 bytes"
// heddle: check -- mutex
// expect: verdict=bug kind=heap-buffer-overflow message~"T1 locks mutex, over the end of block#1, 36 bytes"
// heddle: check -- mutex_alone
// expect: verdict=bug kind=heap-buffer-overflow message~"main locks mutex, over the end of block#1, 36 bytes"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *mode;
static char *volatile block;
static volatile int sink;
static volatile int wrong;  // makes the access one that the compiler does not see through
static char other[200];

struct Flexible {
  int count;
  int values[];
};

static int Is(const char *name) {
  const size_t size = strlen(name);
  return strncmp(mode, name, size) == 0 && (mode[size] == '\0' || strcmp(mode + size, "_alone") == 0);
}

static void Access(void) {
  int *const numbers = (int *)block;
  if (Is("write")) numbers[10 + wrong] = 1;  // @write
  if (Is("read")) sink = numbers[12 + wrong];
  if (Is("write_before")) numbers[-1 + wrong] = 1;
  if (Is("read_before")) sink = block[-1 + wrong];
  if (Is("one")) block[0] = block[1 + wrong] = 1;
  if (Is("one_read")) sink = block[7 + wrong];
  if (Is("partly")) sink = *(long *)(block + 8 + wrong) != 0;
  if (Is("thirteenth")) sink = block[12 + wrong] + block[13 + wrong];
  if (Is("nothing")) sink = block[wrong];
  if (Is("shrunk")) sink = block[19 + wrong] + block[20 + wrong];
  if (Is("grown")) numbers[10 + wrong] = numbers[11 + wrong] = 1;
  if (Is("stale")) sink = block[3 + wrong];
  if (Is("zeroed")) sink = block[20 + wrong] + block[21 + wrong];
  if (Is("aligned")) sink = block[71 + wrong] + block[72 + wrong];
  if (Is("aligned_before")) sink = block[-1 + wrong];
  if (Is("large") && strcmp(mode, "large") == 0) block[(2 << 20) + 4 + wrong] = block[(2 << 20) + 5 + wrong] = 1;
  if (Is("large") && strcmp(mode, "large_alone") == 0) block[(2 << 20) + wrong] = 1;
  if (Is("large_before")) block[-1 + wrong] = 1;
  if (Is("flexible")) ((struct Flexible *)block)->values[4 + wrong] = 1;
  if (Is("freed_before")) sink = block[-1 + wrong];
  if (Is("copy_to")) memcpy(block, other, 44 + wrong);
  if (Is("copy_from")) memcpy(other, block, 44 + wrong);
  if (Is("copy_past_next")) memcpy(block + wrong, other, 100 + wrong);
  if (Is("set_before")) memset(block - 4 + wrong, 0, 8 + wrong);
  if (Is("atomic")) atomic_store((atomic_int *)(block + 40 + wrong), 1);
  if (Is("atomic_before")) sink = atomic_load((atomic_int *)(block - 4 + wrong));
  if (Is("mutex")) pthread_mutex_lock((pthread_mutex_t *)block);
}

static void *Locked(void *arg) {
  pthread_mutex_lock(&mutex);
  Access();
  pthread_mutex_unlock(&mutex);
  return arg;
}

static char *Allocate(void) {
  if (Is("one") || Is("one_read")) return malloc(1);
  if (Is("partly") || Is("thirteenth")) return malloc(13);
  if (Is("nothing")) return malloc(0);
  if (Is("shrunk")) return realloc(malloc(40), 20);
  if (Is("grown")) return realloc(malloc(40), 44);
  if (Is("zeroed")) return calloc(7, 3);
  if (Is("large")) return malloc((2 << 20) + (strcmp(mode, "large") == 0 ? 5 : 0));
  if (Is("large_before")) return malloc((2 << 20) + 5);
  if (Is("flexible")) return malloc(sizeof(struct Flexible) + 4 * sizeof(int));
  if (Is("mutex")) {
    char *memory = malloc(36);
    memset(memory, 0, 36);
    return memory;
  }
  if (Is("aligned") || Is("aligned_before")) {
    void *memory = 0;
    if (posix_memalign(&memory, 64, 72) != 0) abort();
    return memory;
  }
  return malloc(40);
}

int main(int count, char **arguments) {
  assert(count == 2);
  mode = arguments[1];
  block = Allocate();
  free(malloc(24));  // behind it
  if (Is("stale")) free(realloc(block, 80));
  if (Is("freed_before")) free(block);
  if (strstr(mode, "_alone"))
    Access();
  else
    RunSame(1, Locked);
}
