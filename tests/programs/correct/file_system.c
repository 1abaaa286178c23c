// N threads of a file system each give a block to an inode, a mutex for each (POPL'05). Threads 13
// apart begin with the same block, so 13 threads have one trace and each thread more has twice as
// many. With a second argument, inodes are numbered in such strides.
// traces: 1 enumerated -- 2
// traces: 2 enumerated -- 2 13
// traces: 1 -- 13
// traces: 2 -- 14
// traces: 8 -- 16
// traces: 32 -- 18
// traces: 128 -- 20
// traces: 512 -- 22
// traces: 2048 -- 24
// traces: 8192 -- 26
#include <stdlib.h>

#include "run_threads.h"

enum { kInodes = 32, kBlocks = 26 };

static pthread_mutex_t inode_locks[kInodes], block_locks[kBlocks];
static int inodes[kInodes], busy[kBlocks], stride = 1;

static int Take(int block) {
  pthread_mutex_lock(&block_locks[block]);
  int is_free = !busy[block];
  busy[block] = 1;
  pthread_mutex_unlock(&block_locks[block]);
  return is_free;
}

static void *Allocate(void *arg) {
  int inode = (int)(long)arg * stride % kInodes;
  pthread_mutex_lock(&inode_locks[inode]);
  if (!inodes[inode]) {
    int block = inode * 2 % kBlocks;
    while (!Take(block)) block = (block + 1) % kBlocks;
    inodes[inode] = block + 1;
  }
  pthread_mutex_unlock(&inode_locks[inode]);
  return 0;
}

int main(int argc, char **argv) {
  assert(argc >= 2);
  if (argc > 2) stride = atoi(argv[2]);
  for (int i = 0; i < kInodes; i++) pthread_mutex_init(&inode_locks[i], 0);
  for (int i = 0; i < kBlocks; i++) pthread_mutex_init(&block_locks[i], 0);
  RunSame(atoi(argv[1]), Allocate);
#ifdef DESTROYED
  for (int i = 0; i < kInodes; i++) pthread_mutex_destroy(&inode_locks[i]);
  for (int i = 0; i < kBlocks; i++) pthread_mutex_destroy(&block_locks[i]);
#endif
}
