// What functions for wide strings read and write races with what the program does itself.
// compilers: gcc clang
// flags: -fno-builtin -w
// heddle: check -- wcslen
// expect: verdict=bug kind=data-race location=@wcslen
// heddle: check -- wcsnlen
// expect: verdict=bug kind=data-race location=@wcsnlen
// heddle: check -- wcscmp
// expect: verdict=bug kind=data-race location=@wcscmp
// heddle: check -- wcscasecmp
// expect: verdict=bug kind=data-race location=@wcscasecmp
// heddle: check -- wmemcmp
// expect: verdict=bug kind=data-race location=@wmemcmp
// heddle: check -- wcschr
// expect: verdict=bug kind=data-race location=@wcschr
// heddle: check -- wcsrchr
// expect: verdict=bug kind=data-race location=@wcsrchr
// heddle: check -- wmemchr
// expect: verdict=bug kind=data-race location=@wmemchr
// heddle: check -- wcsstr
// expect: verdict=bug kind=data-race location=@wcsstr
// heddle: check -- wcsspn
// expect: verdict=bug kind=data-race location=@wcsspn
// heddle: check -- wcscspn
// expect: verdict=bug kind=data-race location=@wcscspn
// heddle: check -- wcspbrk
// expect: verdict=bug kind=data-race location=@wcspbrk
// heddle: check -- wcstok
// expect: verdict=bug kind=data-race location=@wcstok
// heddle: check -- wcscpy
// expect: verdict=bug kind=data-race location=@wcscpy
// heddle: check -- wcscpy_from
// expect: verdict=bug kind=data-race location=@wcscpy_from
// heddle: check -- wcsncpy
// expect: verdict=bug kind=data-race location=@wcsncpy
// heddle: check -- wcscat
// expect: verdict=bug kind=data-race location=@wcscat
// heddle: check -- wcsdup
// expect: verdict=bug kind=data-race location=@wcsdup
// heddle: check -- wmemcpy
// expect: verdict=bug kind=data-race location=@wmemcpy
// heddle: check -- wmemcpy_from
// expect: verdict=bug kind=data-race location=@wmemcpy_from
// heddle: check -- wmemmove
// expect: verdict=bug kind=data-race location=@wmemmove
// heddle: check -- wmemset
// expect: verdict=bug kind=data-race location=@wmemset
// heddle: check -- wcstol
// expect: verdict=bug kind=data-race location=@wcstol
// heddle: check -- wcstod
// expect: verdict=bug kind=data-race location=@wcstod
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "run_threads.h"

static wchar_t text[16] = L"abcd", other[16], digits[16] = L"1234", *rest;

static void Prepare(void) {}

static const char *what;
static volatile long sink;  // so that calls are made

static int Is(const char *name) { return strcmp(what, name) == 0; }

static void *Writes(void *arg) {
  text[4] = digits[4] = 0;
  return arg;
}

static void *Uses(void *arg) {
  if (Is("wcslen")) sink = (long)(wcslen(text));                   // @wcslen
  if (Is("wcsnlen")) sink = (long)(wcsnlen(text, 9));              // @wcsnlen
  if (Is("wcscmp")) sink = (long)(wcscmp(text, L"abcd"));          // @wcscmp
  if (Is("wcscasecmp")) sink = (long)(wcscasecmp(text, L"ABCD"));  // @wcscasecmp
  if (Is("wmemcmp")) sink = (long)(wmemcmp(text, L"xxxxx", 5));    // @wmemcmp
  if (Is("wcschr")) sink = (long)(wcschr(text, L'z'));             // @wcschr
  if (Is("wcsrchr")) sink = (long)(wcsrchr(text, L'a'));           // @wcsrchr
  if (Is("wmemchr")) sink = (long)(wmemchr(text, L'z', 5));        // @wmemchr
  if (Is("wcsstr")) sink = (long)(wcsstr(text, L"zz"));            // @wcsstr
  if (Is("wcsspn")) sink = (long)(wcsspn(text, L"abcd"));          // @wcsspn
  if (Is("wcscspn")) sink = (long)(wcscspn(text, L"z"));           // @wcscspn
  if (Is("wcspbrk")) sink = (long)(wcspbrk(text, L"z"));           // @wcspbrk
  if (Is("wcstok")) sink = (long)(wcstok(text, L",", &rest));      // @wcstok
  if (Is("wcscpy")) sink = (long)(wcscpy(text, L"wxyz"));          // @wcscpy
  if (Is("wcscpy_from")) sink = (long)(wcscpy(other, text));       // @wcscpy_from
  if (Is("wcsncpy")) sink = (long)(wcsncpy(text, L"w", 5));        // @wcsncpy
  if (Is("wcscat")) sink = (long)(wcscat(text + 3, L"e"));         // @wcscat
  if (Is("wcsdup")) free(wcsdup(text));             // @wcsdup
  if (Is("wmemcpy")) sink = (long)(wmemcpy(text, other, 5));       // @wmemcpy
  if (Is("wmemcpy_from")) sink = (long)(wmemcpy(other, text, 5));  // @wmemcpy_from
  if (Is("wmemmove")) sink = (long)(wmemmove(text + 2, text, 3));  // @wmemmove
  if (Is("wmemset")) sink = (long)(wmemset(text, L'c', 5));        // @wmemset
  if (Is("wcstol")) sink = (long)(wcstol(digits, 0, 10));          // @wcstol
  if (Is("wcstod")) sink = (long)(wcstod(digits, 0));              // @wcstod
  return arg;
}

int main(int argc, char **argv) {
  what = argv[1];
  Prepare();
  RunThreads(2, (Body[]){Writes, Uses});
}
