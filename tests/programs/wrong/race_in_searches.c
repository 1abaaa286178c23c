// What strstr, strtok, strtol and their kin read and write races with what the program does itself. The other thread writes
// the last byte that decides.
// compilers: gcc clang
// flags: -fno-builtin -w
// heddle: check -- strstr
// expect: verdict=bug kind=data-race location=@strstr
// heddle: check -- strstr_found
// expect: verdict=bug kind=data-race location=@strstr_found
// heddle: check -- strstr_wanted
// expect: verdict=bug kind=data-race location=@strstr_wanted
// heddle: check -- strcasestr
// expect: verdict=bug kind=data-race location=@strcasestr
// heddle: check -- memmem
// expect: verdict=bug kind=data-race location=@memmem
// heddle: check -- memrchr
// expect: verdict=bug kind=data-race location=@memrchr
// heddle: check -- strchrnul
// expect: verdict=bug kind=data-race location=@strchrnul
// heddle: check -- rawmemchr
// expect: verdict=bug kind=data-race location=@rawmemchr
// heddle: check -- strspn
// expect: verdict=bug kind=data-race location=@strspn
// heddle: check -- strspn_set
// expect: verdict=bug kind=data-race location=@strspn_set
// heddle: check -- strcspn
// expect: verdict=bug kind=data-race location=@strcspn
// heddle: check -- strpbrk
// expect: verdict=bug kind=data-race location=@strpbrk
// heddle: check -- strsep
// expect: verdict=bug kind=data-race location=@strsep
// heddle: check -- strtok_r
// expect: verdict=bug kind=data-race location=@strtok_r
// heddle: check -- strtok
// expect: verdict=bug kind=data-race location=@strtok
// heddle: check -- strtok_next
// expect: verdict=bug kind=data-race location=@strtok_next
// heddle: check -- strtol
// expect: verdict=bug kind=data-race location=@strtol
// heddle: check -- strtol_end
// expect: verdict=bug kind=data-race location=@strtol_end
// heddle: check -- strtod
// expect: verdict=bug kind=data-race location=@strtod
// heddle: check -- atoi
// expect: verdict=bug kind=data-race location=@atoi
// heddle: check -- strtol_vain
// expect: verdict=bug kind=data-race location=@strtol_vain
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

static char text[16] = "abcd", found[16] = "abcd", comma[16] = "ab,d", digits[16] = "1234", blanks[16] = "   -";
static char other[16] = "x", *rest;

static void Prepare(void) { rest = text; }

static const char *what;
static volatile long sink;  // so that calls are made

static int Is(const char *name) { return strcmp(what, name) == 0; }

static void *Writes(void *arg) {
  if (Is("strtok_next")) {
    char mine[8] = "y";
    strtok(mine, ",");
    return arg;
  }
  text[4] = blanks[4] = digits[4] = 0;
  found[3] = 'd';
  comma[2] = ',';
  rest = text;
  return arg;
}

static void *Uses(void *arg) {
  if (Is("strstr")) sink = (long)(strstr(text, "zz"));             // @strstr
  if (Is("strstr_found")) sink = (long)(strstr(found, "cd"));      // @strstr_found
  if (Is("strstr_wanted")) sink = (long)(strstr("xyz", text));     // @strstr_wanted
  if (Is("strcasestr")) sink = (long)(strcasestr(text, "ZZ"));     // @strcasestr
  if (Is("memmem")) sink = (long)(memmem(text, 5, "zz", 2));       // @memmem
  if (Is("memrchr")) sink = (long)(memrchr(text + 4, 'z', 3));     // @memrchr
  if (Is("strchrnul")) sink = (long)(strchrnul(text, 'z'));        // @strchrnul
  if (Is("rawmemchr")) sink = (long)(rawmemchr(text, 0));          // @rawmemchr
  if (Is("strspn")) sink = (long)(strspn(text, "abcd"));           // @strspn
  if (Is("strspn_set")) sink = (long)(strspn("xyz", text));        // @strspn_set
  if (Is("strcspn")) sink = (long)(strcspn(text, "z"));            // @strcspn
  if (Is("strpbrk")) sink = (long)(strpbrk(text, "z"));            // @strpbrk
  if (Is("strsep")) sink = (long)(strsep(&rest, "d"));             // @strsep
  if (Is("strtok_r")) sink = (long)(strtok_r(comma, ",", &rest));  // @strtok_r
  if (Is("strtok")) sink = (long)(strtok(comma, ","));             // @strtok
  if (Is("strtok_next")) sink = (long)(strtok(other, ","));        // @strtok_next
  if (Is("strtol")) sink = (long)(strtol(digits, 0, 10));          // @strtol
  if (Is("strtol_end")) sink = (long)(strtol("17", &rest, 10));    // @strtol_end
  if (Is("strtod")) sink = (long)(strtod(digits, 0));              // @strtod
  if (Is("atoi")) sink = (long)(atoi(digits));                     // @atoi
  if (Is("strtol_vain")) sink = (long)(strtol(blanks, 0, 10));     // @strtol_vain
  return arg;
}

int main(int argc, char **argv) {
  what = argv[1];
  Prepare();
  RunThreads(2, (Body[]){Writes, Uses});
}
