// What is printed as wide characters, or printed into, is freed in another critical section; as print_freed.c.
// compilers: gcc clang   opt: -O0 -O2
// traces: 2 enumerated --keep-going -- format
// heddle: check -- format
// expect: verdict=bug kind=use-after-free preemptions=0 location=@format message~"T2 reads" message~"freed by T1"
// heddle: check --no-races -- wide
// expect: verdict=bug kind=use-after-free location=@wide message~"T2 reads"
// heddle: check --keep-going --points all -- wide
// expect: verdict=bug kinds=use-after-free bugs=1
// heddle: check -- bytes
// expect: verdict=bug kind=use-after-free location=@bytes message~"T2 reads"
// heddle: check -- into
// expect: verdict=bug kind=use-after-free location=@into message~"T2 writes"
// heddle: check -- fputws
// expect: verdict=bug kind=use-after-free location=@fputws message~"T2 reads"
// heddle: check -- fgetws
// expect: verdict=bug kind=use-after-free location=@fgetws message~"T2 writes"
// heddle: check -- fputws_unlocked
// expect: verdict=bug kind=use-after-free location=@unlocked message~"T2 reads"
// heddle: check -- fgetws_unlocked
// expect: verdict=bug kind=use-after-free location=@gets_unlocked message~"T2 writes"
// What -D_FORTIFY_SOURCE makes of fgetws.
// heddle: check -- fgetws_chk
// expect: verdict=bug kind=use-after-free location=@chk message~"T2 writes"
// heddle: check -- overflow
// expect: verdict=bug kind=heap-buffer-overflow location=@overflow message~"T2 reads"
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "run_threads.h"

wchar_t *__fgetws_chk(wchar_t *to, size_t room, int size, FILE *stream);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *what;
static wchar_t *block, copy[16];
static FILE *file;

static int Is(const char *name) { return strcmp(what, name) == 0; }

static void *Frees(void *arg) {
  pthread_mutex_lock(&mutex);
  if (!Is("overflow")) free(block);
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void *Prints(void *arg) {
  pthread_mutex_lock(&mutex);
  if (Is("format")) swprintf(copy, 16, block);                                  // @format
  if (Is("wide")) swprintf(copy, 16, L"%d %.9ls", 1, block);                    // @wide
  if (Is("bytes")) fwprintf(file, L"%s %-3s", "text", (char *)block);           // @bytes
  if (Is("into")) swprintf(block, 8, L"%d", 1234);                              // @into
  if (Is("fputws")) fputws(block, file);                                        // @fputws
  if (Is("fgetws") && fgetws(block, 4, file)) arg = 0;                          // @fgetws
  if (Is("fputws_unlocked")) fputws_unlocked(block, file);                      // @unlocked
  if (Is("fgetws_unlocked") && fgetws_unlocked(block, 4, file)) arg = 0;        // @gets_unlocked
  if (Is("fgetws_chk") && __fgetws_chk(block, 8, 4, file)) arg = 0;             // @chk
  if (Is("overflow")) swprintf(copy, 16, L"%.*ls", 9, wmemset(block, 'a', 8));  // @overflow
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(int argc, char **argv) {
  what = argc > 1 ? argv[1] : "format";
  file = strncmp(what, "fgetws", 6) == 0 ? fopen("/proc/self/status", "r") : fopen("/dev/null", "w");
  block = wcscpy(malloc(8 * sizeof *block), L"block");
  RunThreads(2, (Body[]){Frees, Prints});
}
