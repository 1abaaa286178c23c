// Functions that GCC makes instructions of, where it knows what they copy or compare: beyond a block of five bytes, or by two
// threads at once.
// compilers: gcc clang   opt: -O0 -O1 -O2 -Os
// flags: -w
// heddle: check -- strcpy
// expect: verdict=bug kind=heap-buffer-overflow location=@strcpy
// heddle: check -- stpcpy
// expect: verdict=bug kind=heap-buffer-overflow location=@stpcpy
// heddle: check -- strncpy
// expect: verdict=bug kind=heap-buffer-overflow location=@strncpy
// heddle: check -- stpncpy
// expect: verdict=bug kind=heap-buffer-overflow location=@stpncpy
// heddle: check -- strcat
// expect: verdict=bug kind=heap-buffer-overflow location=@strcat
// heddle: check -- strncat
// expect: verdict=bug kind=heap-buffer-overflow location=@strncat
// heddle: check -- mempcpy
// expect: verdict=bug kind=heap-buffer-overflow location=@mempcpy
// heddle: check -- memccpy
// expect: verdict=bug kind=heap-buffer-overflow location=@memccpy
// heddle: check -- bzero
// expect: verdict=bug kind=heap-buffer-overflow location=@bzero
// heddle: check -- bcopy
// expect: verdict=bug kind=heap-buffer-overflow location=@bcopy
// heddle: check -- sprintf
// expect: verdict=bug kind=heap-buffer-overflow location=@sprintf
// heddle: check -- sprintf_string
// expect: verdict=bug kind=heap-buffer-overflow location=@sprintf_string
// heddle: check -- snprintf
// expect: verdict=bug kind=heap-buffer-overflow location=@snprintf
// heddle: check -- memcmp
// expect: verdict=bug kind=heap-buffer-overflow location=@memcmp
// heddle: check -- bcmp
// expect: verdict=bug kind=heap-buffer-overflow location=@bcmp
// heddle: check -- builtin_memcpy
// expect: verdict=bug kind=heap-buffer-overflow location=@builtin_memcpy
// heddle: check -- builtin_memset
// expect: verdict=bug kind=heap-buffer-overflow location=@builtin_memset
// heddle: check -- builtin_memcmp
// expect: verdict=bug kind=heap-buffer-overflow location=@builtin_memcmp
// heddle: check -- builtin_strcpy
// expect: verdict=bug kind=heap-buffer-overflow location=@builtin_strcpy
// heddle: check -- race
// expect: verdict=bug kind=data-race message~"text"
// heddle: check -- race_compare
// expect: verdict=bug kind=data-race message~"text"
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "run_threads.h"

char* volatile from_malloc;
char* end;
int sink;
char text[8];

static void* Write(void* x) {
  strcpy(text, "abcd");
  return x;
}

static void* WriteFirst(void* x) {
  text[0] = 'a';
  return x;
}
static void* Compare(void* x) {
  if (memcmp(text, "abcd", 4) == 0) return 0;
  return x;
}

static void Act(const char* what) {
  from_malloc = malloc(5);
  char* block = from_malloc;
  memset(block, 'a', 5);
  if (strcmp(what, "strcpy") == 0) strcpy(block, "abcde");  // @strcpy
  if (strcmp(what, "stpcpy") == 0) end = stpcpy(block, "abcde");  // @stpcpy
  if (strcmp(what, "strncpy") == 0) strncpy(block, "ab", 6);  // @strncpy
  if (strcmp(what, "stpncpy") == 0) end = stpncpy(block, "ab", 6);  // @stpncpy
  if (strcmp(what, "strcat") == 0) strcpy(block, "abc"), strcat(block, "de");  // @strcat
  if (strcmp(what, "strncat") == 0) strcpy(block, "abc"), strncat(block, "defg", 2);  // @strncat
  if (strcmp(what, "mempcpy") == 0) end = mempcpy(block, "abcdef", 6);  // @mempcpy
  if (strcmp(what, "memccpy") == 0) end = memccpy(block, "abcdef", 'f', 7);  // @memccpy
  if (strcmp(what, "bzero") == 0) bzero(block, 6);  // @bzero
  if (strcmp(what, "bcopy") == 0) bcopy("abcdef", block, 6);  // @bcopy
  if (strcmp(what, "sprintf") == 0) sprintf(block, "abcde");  // @sprintf
  if (strcmp(what, "sprintf_string") == 0) sprintf(block, "%s", "abcde");  // @sprintf_string
  if (strcmp(what, "snprintf") == 0) snprintf(block, 9, "abcde");  // @snprintf
  if (strcmp(what, "memcmp") == 0) sink = memcmp(block, "abcdef", 6) == 0;  // @memcmp
  if (strcmp(what, "bcmp") == 0) sink = bcmp(block, "abcdef", 6) == 0;  // @bcmp
  if (strcmp(what, "builtin_memcpy") == 0) __builtin_memcpy(block, text, 8);  // @builtin_memcpy
  if (strcmp(what, "builtin_memset") == 0) __builtin_memset(block, 0, 40);  // @builtin_memset
  if (strcmp(what, "builtin_memcmp") == 0) sink = __builtin_memcmp(block, "abcdef", 6) == 0;  // @builtin_memcmp
  if (strcmp(what, "builtin_strcpy") == 0) __builtin_strcpy(block, "abcde");  // @builtin_strcpy
  if (strcmp(what, "race") == 0) RunSame(2, Write);
  if (strcmp(what, "race_compare") == 0) RunThreads(2, (const Body[]){WriteFirst, Compare});
  free(block);
}

int main(int count, char** arguments) { Act(arguments[1]); }
