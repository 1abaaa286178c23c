// A call on a stream is a step: what a thread gets depends on the order, in memory, in a file, through two threads' one stream.
// Printing is none.
// heddle: check -- place
// expect: verdict=clean complete=true outcomes=0,1
// Traces: fputc and fflush of one thread, ftell of the other, C(3,1) = 3.
// traces: 3 enumerated -- place
// heddle: check -- read
// expect: verdict=clean complete=true outcomes=ab,ba
// traces: 2 enumerated -- read
// heddle: check -- scan
// expect: verdict=clean complete=true outcomes=12,21
// traces: 2 enumerated -- scan
// heddle: check -- ordered
// expect: verdict=clean complete=true outcomes=0,1
// traces: 2 enumerated -- ordered
// heddle: check -- apart
// expect: verdict=clean complete=true executions=1
// traces: 1 enumerated -- apart
// heddle: check -- print
// expect: verdict=clean complete=true executions=1
// traces: 1 enumerated -- print
#include <heddle.h>
#include <stdio.h>
#include <string.h>

#include "run_threads.h"

static const char *what;
static FILE *stream, *other;
static char contents[] = "ab", digits[] = "1 2";
static int got[2], data;

static int Is(const char *name) { return strcmp(what, name) == 0; }

static void *Call(void *arg) {
  const long self = (long)arg;
  if (Is("place") && self == 0) {
    fputc('x', stream);
    fflush(stream);
  }
  if (Is("place") && self == 1) got[1] = (int)ftell(stream);
  if (Is("read")) got[self] = getc(stream);
  if (Is("scan") && fscanf(stream, "%d", &got[self]) != 1) assert(0);
  if (Is("ordered") && self == 0) {
    data = 1;
    ungetc('c', stream);
  }
  if (Is("ordered") && self == 1 && getc(stream) == 'c') got[1] = data;
  if (Is("apart")) fgetc(self ? stream : other);
  if (Is("print")) {
    printf("thread %ld\n", self);
    putchar('\n');
    fputs("thread\n", stderr);
    fflush(stdout);
    fflush(NULL);
  }
  return 0;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  what = argv[1];
  stream = Is("place") ? tmpfile() : Is("scan") ? fmemopen(digits, 3, "r") : fmemopen(contents, 2, "r");
  other = fmemopen(digits, 3, "r");
  assert(stream && other);
  RunSame(2, Call);
  if (Is("read")) heddle_outcome("%c%c", got[0], got[1]);
  if (Is("scan")) heddle_outcome("%d%d", got[0], got[1]);
  if (Is("place") || Is("ordered")) heddle_outcome("%d", got[1]);
}
