// The file system of Flanagan and Godefroid (POPL'05), the paper's file-system model in small: thread i wants a block for inode
// i mod 2. It takes the lock of the inode and, if that is empty, looks for a free block from 2i mod 4 on, with a lock per block.
// The numbers of states are those of a model: states_models.py.
// heddle: check --preset zing --no-races -- 2
// expect: verdict=clean complete=true states=24 guarantee~"every state explored"
// heddle: check --preset zing --no-races -- 3
// expect: verdict=clean complete=true states=59
// heddle: check --visited states --no-races -- 4
// expect: verdict=clean complete=true states=143
// heddle: check --preset zing -- 3
// expect: verdict=clean complete=true
#include <stdlib.h>

#include "run_threads.h"

enum { kInodes = 2, kBlocks = 4 };

static pthread_mutex_t inode_locks[kInodes] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t block_locks[kBlocks] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                               PTHREAD_MUTEX_INITIALIZER};
static int inodes[kInodes];  // number of its block, plus one
static int busy[kBlocks];

static void *Allocate(void *arg) {
  int inode = (int)((long)arg % kInodes);
  pthread_mutex_lock(&inode_locks[inode]);
  if (inodes[inode] == 0) {
    for (int block = (int)((long)arg * 2 % kBlocks);; block = (block + 1) % kBlocks) {
      pthread_mutex_lock(&block_locks[block]);
      int found = !busy[block];
      if (found) {
        busy[block] = 1;
        inodes[inode] = block + 1;
      }
      pthread_mutex_unlock(&block_locks[block]);
      if (found) break;
    }
  }
  pthread_mutex_unlock(&inode_locks[inode]);
  return 0;
}

int main(int argc, char **argv) { RunSame(argc > 1 ? atoi(argv[1]) : 2, Allocate); }
