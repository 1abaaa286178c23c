// A string is printed in one critical section and freed in another: whichever order comes second is found, by each function that prints.
// compilers: gcc clang   opt: -O0 -O2
// traces: 2 enumerated --keep-going -- printf
// heddle: check -- printf
// expect: verdict=bug kind=use-after-free preemptions=0 location=@printf message~"T2 reads" message~"freed by T1 at print_freed.c:"
// heddle: check --no-races -- printf
// expect: verdict=bug kind=use-after-free location=@printf
// heddle: check --keep-going --points all -- printf
// expect: verdict=bug kinds=use-after-free bugs=1
// heddle: check --preset zing --keep-going -- printf
// expect: verdict=bug kinds=use-after-free bugs=1
// every search: use-after-free -- printf
// heddle: check -- puts
// expect: verdict=bug kind=use-after-free location=@puts message~"T2 reads"
// heddle: check -- fputs
// expect: verdict=bug kind=use-after-free location=@fputs message~"T2 reads"
// heddle: check -- fprintf
// expect: verdict=bug kind=use-after-free location=@fprintf
// heddle: check -- sprintf
// expect: verdict=bug kind=use-after-free location=@sprintf message~"T2 reads"
// heddle: check -- sprintf_into
// expect: verdict=bug kind=use-after-free location=@sprintf_into message~"T2 writes"
// heddle: check -- fwrite
// expect: verdict=bug kind=use-after-free location=@fwrite message~"T2 reads"
// heddle: check -- strtol
// expect: verdict=bug kind=use-after-free location=@strtol message~"T2 reads"
// heddle: check -- strstr
// expect: verdict=bug kind=use-after-free location=@strstr message~"T2 reads"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *what;
static char *block, copy[16];
static volatile long sink;

static int Is(const char *name) { return strcmp(what, name) == 0; }

static void *Frees(void *arg) {
  pthread_mutex_lock(&mutex);
  free(block);
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void *Prints(void *arg) {
  pthread_mutex_lock(&mutex);
  if (Is("printf")) printf("%d: %s\n", 1, block);          // @printf
  if (Is("puts")) printf("%s\n", block);                   // @puts
  if (Is("fputs")) fprintf(stderr, "%s", block);           // @fputs
  if (Is("fprintf")) fprintf(stderr, "%3.9s|\n", block);   // @fprintf
  if (Is("sprintf")) sprintf(copy, "%s", block);           // @sprintf
  if (Is("sprintf_into")) sprintf(block, "%d", 1234);      // @sprintf_into
  if (Is("fwrite")) fwrite(block, 1, 5, stdout);           // @fwrite
  if (Is("strtol")) sink = strtol(block, 0, 10);           // @strtol
  if (Is("strstr")) sink = strstr(block, "word") != 0;     // @strstr
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(int argc, char **argv) {
  what = argc > 1 ? argv[1] : "printf";
  block = strcpy(malloc(8), "block");
  RunThreads(2, (Body[]){Frees, Prints});
}
