// What libc's functions read and write beyond a block of five bytes, or of five wide characters, exact to the byte where it is
// not what lies behind the block that ends it.
// compilers: gcc clang
// flags: -fno-builtin -w
// heddle: check -- printf
// expect: verdict=bug kind=heap-buffer-overflow location=@printf message~"over the end of block#1, 5 bytes"
// heddle: check -- printf_precision
// expect: verdict=bug kind=heap-buffer-overflow location=@printf_precision message~"main reads 6 bytes, over the end of block#1, 5 bytes"
// heddle: check -- printf_wide
// expect: verdict=bug kind=heap-buffer-overflow location=@printf_wide message~"over the end of int#1, 20 bytes"
// heddle: check -- printf_count
// expect: verdict=bug kind=heap-buffer-overflow location=@printf_count message~"main writes 4 bytes, over the end of block#1, 5 bytes"
// heddle: check -- puts
// expect: verdict=bug kind=heap-buffer-overflow location=@puts message~"over the end of block#1, 5 bytes"
// heddle: check -- fwrite
// expect: verdict=bug kind=heap-buffer-overflow location=@fwrite message~"main reads 6 bytes"
// heddle: check -- sprintf
// expect: verdict=bug kind=heap-buffer-overflow location=@sprintf message~"main writes 6 bytes, over the end of block#1, 5 bytes"
// heddle: check -- snprintf
// expect: verdict=bug kind=heap-buffer-overflow location=@snprintf message~"main writes 6 bytes"
// heddle: check -- snprintf_at
// expect: verdict=bug kind=heap-buffer-overflow location=@snprintf_at message~"main writes 1 byte, 0 bytes after the end of block#1"
// heddle: check -- sprintf_long
// expect: verdict=bug kind=heap-buffer-overflow location=@sprintf_long message~"main writes 601 bytes"
// heddle: check -- fgets
// expect: verdict=bug kind=heap-buffer-overflow location=@fgets message~"main writes 7 bytes"
// heddle: check -- fread
// expect: verdict=bug kind=heap-buffer-overflow location=@fread message~"main writes 6 bytes"
// heddle: check -- strtol
// expect: verdict=bug kind=heap-buffer-overflow location=@strtol message~"over the end of block#1, 5 bytes"
// heddle: check -- strtol_vain
// expect: verdict=bug kind=heap-buffer-overflow location=@strtol_vain message~"over the end of block#1, 5 bytes"
// heddle: check -- strstr
// expect: verdict=bug kind=heap-buffer-overflow location=@strstr message~"over the end of block#1, 5 bytes"
// heddle: check -- strspn
// expect: verdict=bug kind=heap-buffer-overflow location=@strspn message~"main reads 6 bytes"
// heddle: check -- strpbrk
// expect: verdict=bug kind=heap-buffer-overflow location=@strpbrk message~"over the end of block#1, 5 bytes"
// heddle: check -- strtok
// expect: verdict=bug kind=heap-buffer-overflow location=@strtok message~"over the end of block#1, 5 bytes"
// heddle: check -- strsep
// expect: verdict=bug kind=heap-buffer-overflow location=@strsep message~"over the end of block#1, 5 bytes"
// heddle: check -- memmem
// expect: verdict=bug kind=heap-buffer-overflow location=@memmem message~"main reads 6 bytes"
// heddle: check -- memrchr
// expect: verdict=bug kind=heap-buffer-overflow location=@memrchr message~"main reads 6 bytes"
// heddle: check -- wcslen
// expect: verdict=bug kind=heap-buffer-overflow location=@wcslen message~"over the end of int#1, 20 bytes"
// heddle: check -- wcscpy
// expect: verdict=bug kind=heap-buffer-overflow location=@wcscpy message~"main writes 24 bytes"
// heddle: check -- wmemset
// expect: verdict=bug kind=heap-buffer-overflow location=@wmemset message~"main writes 24 bytes"
// heddle: check -- wcscat
// expect: verdict=bug kind=heap-buffer-overflow location=@wcscat message~"main writes 16 bytes"
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static char contents[] = "123456789";
static volatile long sink;

int main(int argc, char **argv) {
  const char *what = argv[1];
#define Is(name) (strcmp(what, name) == 0)
  FILE *file = fmemopen(contents, sizeof contents, "r");
  char *full = memset(malloc(5), 'a', 5), *place = full;
  wchar_t *wide = wmemset(malloc(5 * sizeof *wide), L'a', 5);
  char *digits = memset(malloc(5), '1', 5), *blanks = memset(malloc(5), ' ', 5);
  if (Is("printf")) printf("%s", full);                     // @printf
  if (Is("printf_precision")) printf("%.6s", full);         // @printf_precision
  if (Is("printf_wide")) printf("%ls", wide);               // @printf_wide
  if (Is("printf_count")) printf("a%n", full + 2);          // @printf_count
  if (Is("puts")) puts(full);                               // @puts
  if (Is("fwrite")) fwrite(full, 2, 3, stdout);             // @fwrite
  if (Is("sprintf")) sprintf(full, "%d", 12345);            // @sprintf
  if (Is("snprintf")) snprintf(full, 6, "%d", 1234567);     // @snprintf
  if (Is("snprintf_at")) snprintf(full + 5, 6, "");         // @snprintf_at
  if (Is("sprintf_long")) sprintf(full, "%600d", 1);        // @sprintf_long
  if (Is("fgets")) fgets(full, 7, file);                    // @fgets
  if (Is("fread")) fread(full, 1, 6, file);                 // @fread
  if (Is("strtol")) sink = strtol(digits, 0, 10);           // @strtol
  if (Is("strtol_vain")) sink = strtol(blanks, 0, 10);      // @strtol_vain
  if (Is("strstr")) sink = (long)strstr(full, "bc");        // @strstr
  if (Is("strspn")) sink = (long)strspn(full, "a");         // @strspn
  if (Is("strpbrk")) sink = (long)strpbrk(full, "xy");      // @strpbrk
  if (Is("strtok")) sink = (long)strtok(full, "xy");        // @strtok
  if (Is("strsep")) sink = (long)strsep(&place, "xy");      // @strsep
  if (Is("memmem")) sink = (long)memmem(full, 6, "bc", 2);  // @memmem
  if (Is("memrchr")) sink = (long)memrchr(full, 'b', 6);    // @memrchr
  if (Is("wcslen")) sink = wcslen(wide);                    // @wcslen
  if (Is("wcscpy")) wcscpy(wide, L"abcde");                 // @wcscpy
  if (Is("wmemset")) wmemset(wide, 0, 6);                   // @wmemset
  if (Is("wcscat")) wcscat(wcscpy(wide, L"ab"), L"cde");    // @wcscat
}
