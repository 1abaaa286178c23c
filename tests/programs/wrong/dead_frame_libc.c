// A buffer in a frame that has returned, which libc reads or writes for another thread: main lends it and does not wait for T1.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check -- memset
// expect: verdict=bug kind=use-after-return location=@memset message~"T1 writes" message~"frame of main that has returned"
// heddle: check -- strlen
// expect: verdict=bug kind=use-after-return location=@strlen message~"T1 reads" message~"frame of main that has returned"
// heddle: check -- snprintf
// expect: verdict=bug kind=use-after-return location=@snprintf message~"T1 writes" message~"frame of main that has returned"
// heddle: check -- fread
// expect: verdict=bug kind=use-after-return location=@fread message~"T1 writes" message~"frame of main that has returned"
// By the kernel.
// heddle: check -- read
// expect: verdict=bug kind=use-after-return location=@read message~"T1 writes" message~"frame of main that has returned"
// heddle: check --no-races -- read
// expect: verdict=bug kind=use-after-return location=@read message~"T1 writes" message~"frame of main that has returned"
// main waits, as it should.
// heddle: check -- waits
// expect: verdict=clean complete=true
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t used = PTHREAD_COND_INITIALIZER;
static const char *what;
static char *lent;
static int is_used;
static volatile size_t length;

static int Is(const char *name) { return strcmp(what, name) == 0; }

static void Use(char *buffer) {
  FILE *file = Is("fread") ? fopen("/dev/zero", "r") : 0;
  int zeros = Is("read") ? open("/dev/zero", O_RDONLY) : -1;
  if (Is("memset") || Is("waits")) memset(buffer, 1, 20);                  // @memset
  if (Is("strlen")) length = strlen(buffer);                               // @strlen
  if (Is("snprintf")) length = (size_t)snprintf(buffer, 20, "%d", 1234);   // @snprintf
  if (Is("fread")) length = fread(buffer, 1, 20, file);                    // @fread
  if (Is("read")) length = (size_t)read(zeros, buffer, 20);                // @read
}

static void *Borrow(void *arg) {
  pthread_mutex_lock(&mutex);
  char *buffer = lent;
  if (buffer && Is("waits")) Use(buffer);
  pthread_mutex_unlock(&mutex);
  if (buffer && !Is("waits")) Use(buffer);
  pthread_mutex_lock(&mutex);
  is_used = 1;
  pthread_cond_signal(&used);
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void __attribute__((noinline)) Lend(void) {
  char buffer[64];
  memset(buffer, 0, sizeof buffer);
  pthread_mutex_lock(&mutex);
  lent = buffer;
  while (Is("waits") && !is_used) pthread_cond_wait(&used, &mutex);
  if (Is("waits")) lent = 0;
  pthread_mutex_unlock(&mutex);
}

int main(int argc, char **argv) {
  what = argc > 1 ? argv[1] : "memset";
  pthread_t thread;
  pthread_create(&thread, 0, Borrow, 0);
  Lend();
  pthread_mutex_lock(&mutex);
  while (!is_used) pthread_cond_wait(&used, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
}
