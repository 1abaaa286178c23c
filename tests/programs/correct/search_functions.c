// strstr, strtok, strtol, wcscpy and their kin do what they are to, and read and write no byte more than that.
// compilers: gcc clang
// opt: -O0 -O2
// flags: -fno-builtin -w
// heddle: check --order depth-first
// expect: verdict=clean complete=true executions=1
// heddle: check --order depth-first --points all -- alone
// expect: verdict=clean complete=true executions=1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "run_threads.h"

// A block that has no room for more.
static char *Block(const char *bytes, size_t size) { return memcpy(malloc(size), bytes, size); }
static wchar_t *Wide(const wchar_t *characters, size_t count) {
  return wmemcpy(malloc(count * sizeof *characters), characters, count);
}

static void Searches(void) {
  char *const open = Block("abcabd", 6), *const whole = Block("abcabd", 7);
  // Nothing is read behind what decides.
  assert(strstr(open, "ca") == open + 2 && strcasestr(open, "BD") == open + 4 && strstr(open, "") == open);
  assert(strstr(whole, "bd") == whole + 4 && strstr(whole, "be") == 0 && strstr(whole, "abdx") == 0 && strcasestr(whole, "z") == 0);
  assert(memmem(open, 6, "bd", 2) == open + 4 && memmem(open, 99, "ca", 2) == open + 2 && memmem(open, 6, "zz", 2) == 0);
  assert(memmem(open, 6, "", 0) == open && memmem(open, 1, "abc", 3) == 0);
  assert(memrchr(open, 'a', 6) == open + 3 && memrchr(open, 'z', 6) == 0 && memrchr(open, 'd', 0) == 0);
  assert(rawmemchr(open, 'd') == open + 5 && strchrnul(open, 'c') == open + 2 && strchrnul(whole, 'z') == whole + 6);
  assert(strspn(open, "abc") == 5 && strspn(whole, "abcd") == 6 && strspn(whole, "") == 0 && strspn("", "abc") == 0);
  assert(strcspn(open, "d") == 5 && strcspn(whole, "z") == 6 && strcspn(whole, "") == 6);
  assert(strpbrk(open, "dc") == open + 2 && strpbrk(whole, "xyz") == 0 && strpbrk(whole, "") == 0);

  char *const list = Block(",ab,,c", 7), *next = 0;
  assert(strtok_r(list, ",", &next) == list + 1 && strcmp(list + 1, "ab") == 0 && strtok_r(0, ",", &next) == list + 5);
  assert(strtok_r(0, ",", &next) == 0 && strtok_r(0, ",", &next) == 0 && *next == 0);
  char *const fields = Block("a,,b", 5), *rest = fields;
  assert(strsep(&rest, ",") == fields && strsep(&rest, ",") == fields + 2 && fields[2] == 0 && strsep(&rest, ",") == fields + 3);
  assert(rest == 0 && strsep(&rest, ",") == 0);
  char *const tokens = Block("a b", 4);
  assert(strtok(tokens, " ") == tokens && strtok(0, " ") == tokens + 2 && strtok(0, " ") == 0 && strtok(0, " ") == 0);
}

static void Numbers(void) {
  char *const open = Block(" -12x", 5), *end;
  errno = 0;
  assert(strtol(open, &end, 10) == -12 && end == open + 4 && atoi(open) == -12 && atol(open) == -12 && atoll(open) == -12);
  assert(strtol(open + 2, 0, 0) == 12 && strtoul(open, 0, 10) == -12ul && strtoll(open, &end, 16) == -18 && strtoull(open + 3, 0, 8) == 2);
  assert(strtol(open + 4, &end, 10) == 0 && end == open + 4 && errno == 0);
  assert(strtol("zz", &end, 36) == 1295 && strtol("0x1fg", &end, 0) == 31 && *end == 'g');
  assert(strtol(open, &end, 1) == 0 && errno == EINVAL);
  assert(strtol("99999999999999999999", &end, 10) == LONG_MAX && errno == ERANGE && *end == 0);
  assert(strtoimax("7", 0, 10) == 7 && strtoumax("7", 0, 10) == 7);
  char *const real = Block("1.5e1,", 6);
  assert(strtod(real, &end) == 15 && end == real + 5 && strtof(real, 0) == 15 && strtold(real, 0) == 15 && atof(real) == 15);
  assert(isinf(strtod("inf", 0)) && isnan(strtod("nan(1)", &end)) && *end == 0 && strtod("x", &end) == 0 && *end == 'x');
  wchar_t *const wide = Wide(L" 17,", 4), *wide_end;
  assert(wcstol(wide, &wide_end, 10) == 17 && wide_end == wide + 3 && wcstoull(wide, 0, 8) == 15 && wcstod(wide, 0) == 17);
}

static void WideStrings(void) {
  wchar_t *const open = Wide(L"abcabd", 6), *const whole = Wide(L"abcabd", 7), *next = 0;
  assert(wcslen(whole) == 6 && wcsnlen(open, 6) == 6 && wcsnlen(whole, 99) == 6);
  assert(wcscmp(whole, L"abcabe") < 0 && wcscmp(L"b", L"a") > 0 && wcsncmp(open, L"abcabd", 6) == 0 && wcscmp(L"\xffff", L"a") > 0);
  assert(wcscasecmp(whole, L"ABCABD") == 0 && wcsncasecmp(open, L"ABX", 2) == 0 && wmemcmp(open, whole, 6) == 0 && wmemcmp(L"a", L"b", 1) < 0);
  assert(wcschr(open, L'c') == open + 2 && wcschr(whole, 0) == whole + 6 && wcsrchr(whole, L'a') == whole + 3 && wmemchr(open, L'z', 6) == 0);
  assert(wcsstr(open, L"ca") == open + 2 && wcsspn(open, L"abc") == 5 && wcscspn(open, L"d") == 5 && wcspbrk(whole, L"xyz") == 0);
  wchar_t out[600], *const three = malloc(3 * sizeof *three);
  assert(wcscpy(three, L"ab") == three && wcpcpy(three, L"ab") == three + 2 && wcsncpy(three, L"abcd", 3) == three && three[2] == L'c');
  assert(wcpncpy(three, L"a", 3) == three + 1 && three[2] == 0 && wcscat(three, L"b") == three && wcscmp(three, L"ab") == 0);
  assert(wcscpy(out, L"a") && wcsncat(out, open + 1, 5) == out && wcscmp(out, whole) == 0);
  assert(wmemset(out, L'x', 600) == out && out[599] == L'x' && wmemmove(out + 1, out, 599) == out + 1 && wmempcpy(three, L"abc", 3) == three + 3);
  wchar_t *const copy = wcsdup(whole);
  assert(wcstok(copy, L"c", &next) == copy && wcstok(0, L"c", &next) == copy + 3 && next == 0 && wcstok(0, L"c", &next) == 0);
  free(copy);
}

// Bytes of the other thread's lie right beside.
static char text[8] = "ab", digits[8] = "12", list[8] = "a,b", found[8] = "abcd";
static wchar_t wide[8] = L"ab";

static void *Neighbour(void *arg) {
  text[3] = digits[3] = list[4] = found[2] = 1;
  wide[3] = 1;
  return arg;
}

static void *Uses(void *arg) {
  char *rest = list;
  assert(strstr(text, "z") == 0 && strspn(text, "ab") == 2 && strstr(found, "ab") == found && memmem(found, 8, "ab", 2) == found);
  assert(strsep(&rest, ",") == list && strsep(&rest, ",") == list + 2 && strtol(digits, 0, 10) == 12 && strtod(digits, 0) == 12);
  assert(wcslen(wide) == 2 && wcscpy(wide, L"cd") == wide && wcsspn(wide, L"dc") == 2);
  return arg;
}

int main(int argc, char **argv) {
  Searches();
  Numbers();
  WideStrings();
  if (argc == 1) RunThreads(2, (Body[]){Neighbour, Uses});
}
