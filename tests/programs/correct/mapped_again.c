// Memory that was unmapped is mapped again in ways that are not calls of mmap: it grows in place over it, is attached there, or stays
// mapped although its pages were moved away.
// compilers: gcc clang
// heddle: check
// expect: bugs=0
// heddle: check --no-races
// expect: bugs=0
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sys/mman.h>
#include <sys/shm.h>

#include "run_threads.h"

enum { kPage = 4096 };

static char *Map(int pages) {
  char *memory = mmap(0, pages * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(memory != MAP_FAILED);
  return memory;
}

static void Grow(void) {
  char *memory = Map(8);
  munmap(memory + kPage, 7 * kPage);
  if (mremap(memory, kPage, 4 * kPage, 0) != memory) return;
  memory[kPage] = 1;
  munmap(memory, 4 * kPage);
}

static void MoveAway(void) {
  char *memory = Map(4);
  char *moved = mremap(memory, 4 * kPage, 4 * kPage, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, 0);
  if (moved == MAP_FAILED) return;
  memory[0] = moved[0] = 1;
}

static void Attach(void) {
  char *memory = Map(8);
  munmap(memory, 8 * kPage);
  int id = shmget(IPC_PRIVATE, kPage, 0600 | IPC_CREAT);
  if (id < 0) return;
  char *attached = shmat(id, memory, 0);
  shmctl(id, IPC_RMID, 0);
  if (attached != memory) return;
  attached[100] = 1;
  shmdt(attached);
}

static void *Use(void *arg) {
  if (arg == 0) {
    Grow();
    Attach();
  } else {
    MoveAway();
  }
  return arg;
}

int main(void) {
  Grow();
  RunSame(2, Use);
}
