// printf and its kin print what they print without heddle, and read and write no byte more than that.
// compilers: gcc clang
// opt: -O0 -O2
// flags: -fno-builtin -w
// heddle: check --order depth-first
// expect: verdict=clean complete=true executions=1
// heddle: check --order depth-first --points all -- alone
// expect: verdict=clean complete=true executions=1
// heddle: check --no-races
// expect: verdict=clean
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "run_threads.h"

static int Print(char *to, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int length = vsnprintf(to, size, format, list);
  va_end(list);
  return length;
}

static int PrintTwice(char *to, const char *format, ...) {
  va_list list, again;
  va_start(list, format);
  va_copy(again, list);
  int length = vsprintf(to, format, list);
  length += vsprintf(to + length, format, again);
  va_end(again);
  va_end(list);
  return length;
}

// In blocks that have no room for more.
static char *Block(const char *bytes, size_t size) { return memcpy(malloc(size), bytes, size); }

static void Results(void) {
  char *const open = Block("abc", 3), *const whole = Block("abc", 4), out[2000];
  wchar_t *const wide = wmemcpy(malloc(3 * sizeof *wide), L"xyz", 3);
  int count;
  long long count64;
  signed char count8;
  // What a precision leaves out is not read.
  assert(sprintf(out, "%.3s|%.*s|%5.2s", open, 2, open, open) == 12 && strcmp(out, "abc|ab|   ab") == 0);
  assert(sprintf(out, "%.0s%.s", open + 3, open + 3) == 0 && *out == 0);
  assert(sprintf(out, "%.3ls%.2ls", wide, wide) == 5 && strcmp(out, "xyzxy") == 0);
  assert(sprintf(out, "%s%-5s|%.*s", whole, whole, -1, whole) == 12 && strcmp(out, "abcabc  |abc") == 0);
  assert(sprintf(out, "%2$s %1$d %2$.1s %3$.2f", 7, whole, 2.5) == 12 && strcmp(out, "abc 7 a 2.50") == 0);
  assert(sprintf(out, "%2$*1$s", 5, whole) == 5 && strcmp(out, "  abc") == 0);
  assert(sprintf(out, "%d%d%d%d%d%d%d%s%Lg%g%s", 1, 2, 3, 4, 5, 6, 7, whole, 1.5L, 2.5, whole) == 19);
  assert(strcmp(out, "1234567abc1.52.5abc") == 0);
  assert(sprintf(out, "%s%.3s%.6s", (char *)0, (char *)0, (char *)0) == 12 && strcmp(out, "(null)(null)") == 0);
  errno = ENOENT;
  assert(sprintf(out, "%m|%%|%c", 'c') == 29 && strcmp(out, "No such file or directory|%|c") == 0 && errno == ENOENT);
  assert(sprintf(out, "abc%n%hhn%lln%s", &count, &count8, &count64, whole) == 6 && count == 3 && count8 == 3 && count64 == 3);
  assert(sprintf(out, "%'d %#x %+d %zu %jd %td %p", 5, 16, 1, (size_t)2, (intmax_t)3, (ptrdiff_t)4, (void *)16) == 20);
  // Only what has room is written, and nothing without room; what is returned is the length of all.
  char *const three = malloc(3);
  assert(snprintf(three, 3, "%d", 12345) == 5 && strcmp(three, "12") == 0);
  assert(snprintf(three, 1, "%s", whole) == 3 && *three == 0 && snprintf(0, 0, "%s", whole) == 3);
  assert(snprintf(three + 3, 0, "%s", whole) == 3 && Print(three, 3, "%s", whole) == 3 && strcmp(three, "ab") == 0);
  assert(sprintf(three, "%d", 12) == 2 && strcmp(three, "12") == 0);
  assert(sprintf(out, "%1500d|%s", 7, whole) == 1504 && strcmp(out + 1498, " 7|abc") == 0);
  assert(snprintf(out, 1000, "%1500d", 7) == 1500 && strlen(out) == 999);
  assert(PrintTwice(out, "%s%d", whole, 4) == 8 && strcmp(out, "abc4abc4") == 0);
  // What cannot be printed.
  errno = 0;
  assert(snprintf(out, 9, "a%lsb", L"\x20ac") == -1 && errno == EILSEQ);
  char *line = 0;
  assert(asprintf(&line, "%s-%d", whole, 5) == 5 && strcmp(line, "abc-5") == 0);
  free(line);

  // Streams.
  size_t size = 0;
  FILE *const stream = open_memstream(&line, &size);
  assert(fwrite(open, 1, 3, stream) == 3 && fwrite(open, 0, 3, stream) == 0 && fputs(whole, stream) > 0);
  assert(fprintf(stream, "\n%s %.3s\n", whole, open) == 9 && fclose(stream) == 0 && size == 15);
  assert(strcmp(line, "abcabc\nabc abc\n") == 0);
  FILE *const file = fmemopen(line, size, "r");
  char *const six = malloc(6), *const four = malloc(4);
  assert(fgets(four, 4, file) == four && strcmp(four, "abc") == 0);
  assert(fgets(six, 99, file) == six && strcmp(six, "abc\n") == 0);  // there is no more
  rewind(file);
  char *got = 0;
  size_t room = 0;
  assert(getline(&got, &room, file) == 7 && strcmp(got, "abcabc\n") == 0 && getdelim(&got, &room, ' ', file) == 4);
  assert(fread(four, 1, 4, file) == 4 && memcmp(four, "abc\n", 4) == 0 && fread(four, 1, 4, file) == 0 && feof(file));
  assert(fgets(four, 4, file) == 0 && getline(&got, &room, file) == -1);
  rewind(file);
  char *const fifteen = malloc(15);
  assert(fread(fifteen, 1, 99, file) == 15);
  fclose(file);
  free(got);
  free(line);
}

// Bytes of the other thread's lie right beside.
static char text[8] = "ab", into[16], half[8] = "abcd";
static int counts[2];

static void *Neighbour(void *arg) {
  text[3] = into[4] = into[9] = half[2] = 1;
  counts[1] = 1;
  return arg;
}

static void *Uses(void *arg) {
  assert(printf("%s\n", text) == 3 && puts(text) >= 0 && fputs(text, stderr) >= 0 && fwrite(text, 1, 3, stdout) == 3);
  assert(sprintf(into, "%d", 123) == 3 && snprintf(into + 5, 4, "%d", 123456) == 6);
  assert(printf("%.2s%n\n", half, &counts[0]) == 3);
  return arg;
}

int main(int argc, char **argv) {
  Results();
  if (argc == 1) RunThreads(2, (Body[]){Neighbour, Uses});
}
