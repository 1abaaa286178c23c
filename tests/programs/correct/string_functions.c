// strlen, strcmp, strcpy and their kin do what they are to, and read and write no byte more than that.
// compilers: gcc clang
// opt: -O0 -O2
// flags: -fno-builtin
// heddle: check --order depth-first
// expect: verdict=clean complete=true executions=1
// heddle: check --order depth-first --points all -- alone
// expect: verdict=clean complete=true executions=1
//
// With --points all, what is read of each string is a step. main reads a, then b; T1 writes a, then b: either write comes before
// or after the read, so there are four orders, and only --points all tells them apart.
// traces: 4 enumerated --points all --no-races -- order
// heddle: check --points all --no-races -- less
// expect: verdict=bug kind=assertion location=@less
// heddle: check --points all --no-races -- more
// expect: verdict=bug kind=assertion location=@more
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "run_threads.h"

static void Results(void) {
  char big[700], same[700], out[700];
  memset(big, 'x', sizeof big);
  big[699] = 0;
  memcpy(same, big, sizeof big);
  assert(strlen(big) == 699 && strlen(big + 695) == 4 && strlen("") == 0);
  assert(strnlen(big, 5) == 5 && strnlen("ab", 5) == 2 && strnlen(big, 0) == 0);
  assert(strcmp(big, same) == 0 && strcmp("ab", "ac") < 0 && strcmp("ab", "a") > 0 && strcmp("\x80", "a") > 0);
  assert(strncmp("abx", "aby", 2) == 0 && strncmp("abx", "aby", 3) < 0 && strncmp("a", "a", 9) == 0);
  assert(strcasecmp("aBc", "AbC") == 0 && strcasecmp("a", "_") > 0 && strncasecmp("ABx", "aby", 2) == 0);
  assert(memcmp(big, same, sizeof big) == 0 && memcmp("abcdefghi", "abcdefghj", 9) < 0 && memcmp("b\0c", "b\0a", 3) > 0);
  assert(bcmp("a\0b", "a\0b", 3) == 0 && memcmp(big, "a", 0) == 0);
  const char *abca = "abca";
  assert(strchr(abca, 'a') == abca && strchr(abca, 0) == abca + 4 && strchr(abca, 'd') == 0);
  assert(strrchr(abca, 'a') == abca + 3 && strrchr(abca, 0) == abca + 4 && strrchr(abca, 'd') == 0);
  assert(memchr(abca, 'c', 4) == abca + 2 && memchr(abca, 'c', 2) == 0 && index(abca, 'b') == rindex(abca, 'b'));
  assert(strcpy(out, big) == out && strcmp(out, big) == 0 && stpcpy(out, "abc") == out + 3 && out[4] == 'x');
  assert(strncpy(out, "pq", 5) == out && out[2] == 0 && out[4] == 0 && out[5] == 'x');
  assert(strncpy(out, "pqrstuv", 3) == out && out[2] == 'r' && out[3] == 0);
  assert(stpncpy(out, "ab", 1) == out + 1 && stpncpy(out, "ab", 3) == out + 2);
  assert(strcat(strcpy(out, "a"), "bc") == out && strcmp(out, "abc") == 0);
  assert(strncat(out, "defg", 2) == out && strcmp(out, "abcde") == 0 && strncat(out, "f", 9) && strcmp(out, "abcdef") == 0);
  char *copy = strdup(big), *part = strndup("duplicate", 3);
  assert(strcmp(copy, big) == 0 && strcmp(part, "dup") == 0);
  // What is looked for is found before the block ends, wherever the call may look.
  assert(strnlen(part, 256) == 3 && memchr(part, 'p', 1 << 20) == part + 2 && strncmp(part, "dup", 99) == 0);
  free(copy);
  free(part);
}

// Bytes of the other thread's lie right beside those of the functions.
static char text[16] = "ab", more[16], first[8] = "abc", second[8] = "abd";

static void *Neighbour(void *arg) {
  text[3] = 1;
  more[3] = 1;
  more[9] = 1;
  first[4] = second[4] = 1;
  return arg;
}

static void *Uses(void *arg) {
  assert(strlen(text) == 2 && strchr(text, 'b') == text + 1 && strrchr(text, 'a') == text);
  assert(strcpy(more, "xy") == more);
  assert(strncpy(more + 4, "xyz", 5) == more + 4);
  assert(strcmp(first, second) < 0 && strncmp(first, second, 3) < 0 && memcmp(first, second, 4) < 0);
  return arg;
}

static char a[8] = "a", b[8] = "a";

static void *Change(void *arg) {
  strcpy(a, "b");
  strcpy(b, "b");
  return arg;
}

static int order;
static void *Compare(void *arg) {
  order = strcmp(a, b);
  return arg;
}

int main(int argc, char **argv) {
  if (argc == 1 || strcmp(argv[1], "alone") == 0) Results();
  if (argc == 1) {
    RunThreads(2, (Body[]){Neighbour, Uses});
  } else if (strcmp(argv[1], "alone") != 0) {
    RunThreads(2, (Body[]){Compare, Change});
    if (strcmp(argv[1], "less") == 0) assert(order >= 0);  // @less
    if (strcmp(argv[1], "more") == 0) assert(order <= 0);  // @more
  }
}
