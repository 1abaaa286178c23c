// Memory that was handed to libc, and is freed while libc goes on using it.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check -- jump
// expect: verdict=bug kind=use-after-free location=@jump message~"main reads" message~"freed by main" executions=1
// heddle: check -- putenv
// expect: verdict=bug kind=use-after-free location=@getenv message~"main reads" message~"freed by main" executions=1
// heddle: check -- setenv
// expect: verdict=bug kind=use-after-free location=@setenv message~"main reads" message~"freed by main" executions=1
// A buffer of a stream: what writes there, or writes it to the file.
// heddle: check -- fputs
// expect: verdict=bug kind=use-after-free location=@fputs message~"main writes" message~"freed by main" executions=1
// heddle: check -- fputc
// expect: verdict=bug kind=use-after-free location=@fputc message~"main writes" message~"freed by main" executions=1
// heddle: check -- fprintf
// expect: verdict=bug kind=use-after-free location=@fprintf message~"main writes" message~"freed by main" executions=1
// heddle: check -- fflush
// expect: verdict=bug kind=use-after-free location=@fflush message~"main writes" message~"freed by main" executions=1
// heddle: check -- fclose
// expect: verdict=bug kind=use-after-free location=@fclose message~"main writes" message~"freed by main" executions=1
// One thread looks up another name, one frees.
// heddle: check -- threads
// expect: verdict=bug kind=use-after-free location=@look preemptions=0 message~"T1 reads" message~"freed by T2"
// traces: 2 enumerated --keep-going -- threads
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *setting;

static void *Looks(void *arg) {
  pthread_mutex_lock(&mutex);
  if (getenv("HEDDLE_OTHER")) arg = 0;  // @look
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void *Frees(void *arg) {
  pthread_mutex_lock(&mutex);
  free(setting);
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void Jump(void) {
  jmp_buf *buffer = malloc(sizeof *buffer);
  if (setjmp(*buffer)) return;
  free(buffer);
  longjmp(*buffer, 1);  // @jump
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "threads";
  if (strcmp(what, "jump") == 0) Jump();
  setting = strcpy(malloc(20), "HEDDLE_SETTING=1");
  putenv(setting);
  if (strcmp(what, "threads") == 0) {
    RunThreads(2, (Body[]){Looks, Frees});
    return 0;
  }
  FILE *file = fopen("/dev/null", "w");
  char *buffer = malloc(BUFSIZ);
  setvbuf(file, buffer, _IOFBF, BUFSIZ);
  fputs("text", file);
  free(buffer);
  free(setting);
  if (strcmp(what, "putenv") == 0) getenv("HEDDLE_OTHER");             // @getenv
  if (strcmp(what, "setenv") == 0) setenv("HEDDLE_SETTING", "2", 1);  // @setenv
  if (strcmp(what, "fputs") == 0) fputs("more", file);                // @fputs
  if (strcmp(what, "fputc") == 0) fputc('m', file);                   // @fputc
  if (strcmp(what, "fprintf") == 0) fprintf(file, "%d", argc);        // @fprintf
  if (strcmp(what, "fflush") == 0) fflush(file);                      // @fflush
  if (strcmp(what, "fclose") == 0) fclose(file);                      // @fclose
}
