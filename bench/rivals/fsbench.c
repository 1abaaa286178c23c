// fsbench THREADS: threads of a file system that give a block to an inode (Flanagan and Godefroid,
// POPL'05): 32 inodes, 26 blocks, a mutex for each. Only threads that are 13 apart meet, in the
// block that both try first.
// Traces: 1 for THREADS <= 13, from there 2^(THREADS - 13).
#include <stdbool.h>

#include "start.h"

enum { kInodes = 32, kBlocks = 26 };

static int inodes[kInodes];
static bool busy[kBlocks];
static pthread_mutex_t inode_locks[kInodes], block_locks[kBlocks];

// Whether the block was free, and now is not.
static bool Take(int block) {
  pthread_mutex_lock(&block_locks[block]);
  const bool is_free = !busy[block];
  busy[block] = true;
  pthread_mutex_unlock(&block_locks[block]);
  return is_free;
}

static void* Allocate(void* arg) {
  const int inode = (int)(long)arg % kInodes;
  pthread_mutex_lock(&inode_locks[inode]);
  if (inodes[inode] == 0) {
    int block = inode * 2 % kBlocks;
    while (!Take(block)) block = (block + 1) % kBlocks;
    inodes[inode] = block + 1;
  }
  pthread_mutex_unlock(&inode_locks[inode]);
  return NULL;
}

int main(int argc, char** argv) {
  (void)argc;
  const int threads = Number(argv[1], "the number of threads", 1, kBlocks);
  for (int i = 0; i < kInodes; ++i) pthread_mutex_init(&inode_locks[i], NULL);
  for (int i = 0; i < kBlocks; ++i) pthread_mutex_init(&block_locks[i], NULL);
  RunThreads(threads, Allocate);
  return 0;
}
