// What functions of libc read and write for the program: two threads that share only what both read, and get the right answers,
// also where each of these accesses is a scheduling point.
// compilers: gcc clang   opt: -O0 -O2   flags: -fno-builtin
// heddle: check
// expect: verdict=clean complete=true executions=1
// heddle: check --reduction optimal --order depth-first --points all
// expect: verdict=clean complete=true executions=1
// heddle: check --uninitialised
// expect: verdict=clean complete=true
// Traces: the threads share nothing that either of them writes, 1.
// traces: 1 enumerated
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/select.h>
#include <time.h>

#include "run_threads.h"

static const char text[] = "17 0x1f 2.5 word [bracket] 99";
static const time_t moment = 1000000;
static struct tm date;

static int Compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void Scans(void) {
  int number, behind = -1, never = -1;
  long hexadecimal;
  double real;
  char word[5], bracket[8], c[3];
  char *allocated;
  assert(sscanf(text, "%d %lx %lf %s [%[a-z]]%n", &number, &hexadecimal, &real, word, bracket, &behind) == 5);
  assert(number == 17 && hexadecimal == 31 && real == 2.5 && !strcmp(word, "word") && !strcmp(bracket, "bracket"));
  assert(behind == 26);
  assert(sscanf("ab1", "%2c%d%*d%n", c, &number, &never) == 2 && c[0] == 'a' && c[1] == 'b' && number == 1 && never == -1);
  assert(sscanf("word", "%ms", &allocated) == 1 && !strcmp(allocated, "word"));
  free(allocated);
  assert(sscanf("x", "%d", &number) == 0 && number == 1);
  assert(sscanf("", "%d", &number) == EOF);
  char input[] = "5 six";
  FILE *stream = fmemopen(input, sizeof input - 1, "r");
  assert(fscanf(stream, "%d %s", &number, word) == 2 && number == 5 && !strcmp(word, "six"));
  fclose(stream);
}

static void Dates(void) {
  struct tm mine;
  char buffer[26];
  assert(gmtime_r(&moment, &mine) == &mine && mine.tm_mday == 12 && timegm(&mine) == moment);
  assert(strftime(buffer, sizeof buffer, "%Y", &date) == 4 && !strcmp(buffer, "2000"));
  assert(strftime(buffer, 2, "%Y", &date) == 0);
  assert(asctime_r(&date, buffer) == buffer && !strncmp(buffer, "Sun Jan", 7));
  assert(strptime("1999", "%Y", &mine) && mine.tm_year == 99);
}

static void *Run(void *arg) {
  Scans();
  Dates();
  int numbers[] = {3, 1, 2};
  qsort(numbers, 3, sizeof(int), Compare);
  assert(numbers[0] == 1 && numbers[1] == 2 && numbers[2] == 3);
  char swapped[4], address[INET_ADDRSTRLEN];
  swab("abcd", swapped, 4);
  assert(!memcmp(swapped, "badc", 4));
  struct in_addr binary;
  assert(inet_pton(AF_INET, "10.0.0.1", &binary) == 1);
  assert(!strcmp(inet_ntop(AF_INET, &binary, address, sizeof address), "10.0.0.1"));
  wchar_t wide[4];
  assert(mbstowcs(wide, "abc", 4) == 3 && wide[2] == L'c' && wide[3] == 0);
  char narrow[4];
  assert(wcstombs(narrow, wide, 4) == 3 && !strcmp(narrow, "abc"));
  assert(strcoll("a", "b") < 0);
  unsigned seed = 1;
  rand_r(&seed);
  char random[8];
  assert(getrandom(random, sizeof random, 0) == 8);
  char message[64];
  assert(strerror_r(2, message, sizeof message) != NULL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  assert(sigismember(&set, SIGUSR1) == 1 && sigismember(&set, SIGUSR2) == 0);
  pthread_attr_t attributes;
  int detached;
  pthread_attr_init(&attributes);
  assert(pthread_attr_getdetachstate(&attributes, &detached) == 0 && detached == PTHREAD_CREATE_JOINABLE);
  pthread_attr_destroy(&attributes);
  char name[16];
  pthread_setname_np(pthread_self(), "worker");
  assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && !strcmp(name, "worker"));
  return arg;
}

int main() {
  date = (struct tm){.tm_year = 100, .tm_mday = 2};
  RunSame(2, Run);
}
