// What the program printed last stands in the report of a bug by which it ends: also what was still in the buffers.
// heddle: check -- exit
// expect: verdict=bug kind=exit-status stdout~"exit status 2" stdout~"  | ..." stdout~"  | line 7" stdout~"  | cannot go on: 2 workers, 1 job" stdout~"  | jobs: -1"
// heddle: check -- abort
// expect: verdict=bug kind=abort stdout~"  | cannot go on: 2 workers, 1 job"
// heddle: check -- assert
// expect: verdict=bug kind=assertion stdout~"  | cannot go on: 2 workers, 1 job"
// heddle: check -- crash
// expect: verdict=bug kind=crash stdout~"  | cannot go on: 2 workers, 1 job"
// Of a long line both ends.
// heddle: check -- long
// expect: verdict=bug kind=exit-status stdout~"  | xxxxxxxxxxxxxxxxxxxx" stdout~"xxx ... xxx" stdout~"  | cannot go on: 2 workers, 1 job"
// Nothing else than the program's own words is told, and nothing if it said nothing.
// heddle: check -- silent
// expect: verdict=bug kind=exit-status
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

static int jobs = 1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *how;

static void End(void) {
  if (!strcmp(how, "exit"))
    for (int i = 0; i < 25; i++) printf("line %d\n", i);
  if (!strcmp(how, "long"))
    for (int i = 0; i <= 2000; i++) putchar(i < 2000 ? 'x' : '\n');
  if (!strcmp(how, "exit")) fprintf(stderr, "jobs: %d\n", jobs);
  if (strcmp(how, "silent")) puts("cannot go on: 2 workers, 1 job");
  if (!strcmp(how, "abort")) abort();
  if (!strcmp(how, "assert")) assert(!"a job");
  if (!strcmp(how, "crash")) *(volatile int *)0 = 1;
  exit(2);
}

static void *Work(void *arg) {
  pthread_mutex_lock(&mutex);
  if (jobs-- == 0) End();
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(int argc, char **argv) {
  how = argc > 1 ? argv[1] : "silent";
  RunSame(2, Work);
}
