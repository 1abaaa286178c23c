// What prints wide characters prints what it prints without heddle, and reads and writes no character more than that.
// compilers: gcc clang   opt: -O0 -O2   flags: -w
// heddle: check
// expect: verdict=clean complete=true executions=1
// heddle: check --points all -- alone
// expect: verdict=clean complete=true executions=1
#define _GNU_SOURCE
#include <assert.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "run_threads.h"

static int Print(wchar_t *to, size_t size, const wchar_t *format, ...) {
  va_list list;
  va_start(list, format);
  const int length = vswprintf(to, size, format, list);
  va_end(list);
  return length;
}

static void *All(void *arg) {
  wchar_t *to = malloc(12 * sizeof *to);
  wchar_t *three = wmemcpy(malloc(3 * sizeof *three), L"abc", 3);  // not ended
  char *bytes = memcpy(malloc(3), "xyz", 3);
  assert(swprintf(to, 12, L"%.3ls|%.*ls", three, 2, three) == 6 && wcscmp(to, L"abc|ab") == 0);
  assert(swprintf(to, 12, L"%.3s|%.*s", bytes, 2, bytes) == 6 && wcscmp(to, L"xyz|xy") == 0);
  assert(Print(to, 12, L"%2$ls %1$d", 7, L"text") == 6 && wcscmp(to, L"text 7") == 0);
  assert(swprintf(to, 12, L"%f %Lf|%c%lc%%", 1.0, 2.0L, 'c', L'd') == -1);  // no room
  assert(swprintf(to, 12, L"%s", "elevenchars") == 11);
  assert(swprintf(to, 3, L"%s", "abc") == -1);
  int count = 0;
  assert(swprintf(to, 12, L"ab%n%d", &count, 3) == 3 && count == 2);
  assert(swprintf(to, 12, L"%s%ls", (char *)0, L"") == 6 && wcscmp(to, L"(null)") == 0);
  wchar_t *large = malloc(3000 * sizeof *large);
  assert(swprintf(large, 3000, L"%2999d", 1) == 2999);
  FILE *file = tmpfile();
  assert(fwprintf(file, L"%ls %d\n", L"line", 1) == 7 && fputws(L"end", file) >= 0);
  rewind(file);
  assert(fgetws(to, 12, file) == to && wcscmp(to, L"line 1\n") == 0);
  assert(fgetws(to, 3, file) == to && wcscmp(to, L"en") == 0);
  assert(fgetws(to, 12, file) == to && wcscmp(to, L"d") == 0 && !fgetws(to, 12, file));
  fclose(file);
  free(large), free(bytes), free(three), free(to);
  return arg;
}

int main(int argc, char **argv) {
  if (argc > 1) return All(0) != 0;
  RunSame(1, All);
}
