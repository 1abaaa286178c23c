// growth THREADS EVENTS KBYTES: the threads share EVENTS atomic additions, and main first writes to every page of KBYTES
// of a table of 64 MB that was filled before main began.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { kTableBytes = 64 << 20, kPageBytes = 4096 };

static char table[kTableBytes];
static atomic_int total;
static int per_thread;

__attribute__((constructor)) static void FillTable(void) { memset(table, 1, sizeof table); }

static void* Add(void* unused) {
  for (int i = 0; i < per_thread; ++i) atomic_fetch_add(&total, 1);
  return unused;
}

int main(int argc, char** argv) {
  if (argc != 4) return 1;
  const int threads = atoi(argv[1]);
  const long dirtied = atol(argv[3]) << 10;
  per_thread = atoi(argv[2]) / threads;
  for (long at = 0; at < dirtied; at += kPageBytes) table[at] = 2;
  pthread_t handles[64];
  if (threads > 64) return 1;
  for (int i = 0; i < threads; ++i) pthread_create(&handles[i], NULL, Add, NULL);
  for (int i = 0; i < threads; ++i) pthread_join(handles[i], NULL);
  return total != threads * per_thread;
}
