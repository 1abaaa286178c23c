// Functions that keep something in static memory, called by two threads that nothing orders: a data race.
// flags: -fno-builtin -w
// heddle: check -- getenv
// expect: verdict=bug kind=data-race location=@getenv
// heddle: check -- putenv
// expect: verdict=bug kind=data-race location=@putenv
// heddle: check -- gmtime
// expect: verdict=bug kind=data-race location=@gmtime
// heddle: check -- result
// expect: verdict=bug kind=data-race location=@result
// heddle: check -- localtime
// expect: verdict=bug kind=data-race location=@localtime
// heddle: check -- asctime
// expect: verdict=bug kind=data-race location=@asctime
// heddle: check -- drand48
// expect: verdict=bug kind=data-race location=@drand48
// heddle: check -- erand48
// expect: verdict=bug kind=data-race location=@erand48
// heddle: check -- getpwuid
// expect: verdict=bug kind=data-race location=@getpwuid
// heddle: check -- hsearch
// expect: verdict=bug kind=data-race location=@hsearch
// heddle: check -- localeconv
// expect: verdict=bug kind=data-race location=@localeconv
// heddle: check -- readdir
// expect: verdict=bug kind=data-race location=@readdir
// heddle: check -- unlocked
// expect: verdict=bug kind=data-race location=@unlocked
#define _GNU_SOURCE
#include <dirent.h>
#include <locale.h>
#include <pwd.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run_threads.h"

static const char *what;
static time_t when;
static struct tm date, *answer;
static DIR *directory;
static unsigned short state[3];
static char variable[] = "HEDDLE_OTHER=1";
static volatile long sink;

static int Is(const char *name) { return strcmp(what, name) == 0; }

static void *First(void *arg) {
  if (Is("getenv")) setenv("HEDDLE_VARIABLE", "1", 1);
  if (Is("putenv") || Is("localtime")) putenv(variable);
  if (Is("gmtime")) localtime(&when);
  if (Is("result")) gmtime(&when);
  if (Is("asctime")) ctime(&when);
  if (Is("drand48")) lrand48();
  if (Is("erand48")) srand48(1);
  if (Is("getpwuid")) getpwuid(0);
  if (Is("hsearch")) hsearch((ENTRY){"b", 0}, ENTER);
  if (Is("localeconv")) localeconv();
  if (Is("readdir")) readdir(directory);
  if (Is("unlocked")) putchar_unlocked('a');
  return arg;
}

static void *Second(void *arg) {
  if (Is("getenv")) sink = getenv("HOME") != 0;                // @getenv
  if (Is("putenv")) unsetenv("HOME");                          // @putenv
  if (Is("gmtime")) gmtime(&when);                             // @gmtime
  if (Is("result")) sink = answer->tm_year;                    // @result
  if (Is("localtime")) localtime_r(&when, &date);              // @localtime
  if (Is("asctime")) asctime(&date);                           // @asctime
  if (Is("drand48")) drand48();                                // @drand48
  if (Is("erand48")) erand48(state);                           // @erand48
  if (Is("getpwuid")) getpwuid(1);                             // @getpwuid
  if (Is("hsearch")) hsearch((ENTRY){"a", 0}, FIND);           // @hsearch
  if (Is("localeconv")) localeconv();                          // @localeconv
  if (Is("readdir")) readdir(directory);                       // @readdir
  if (Is("unlocked")) putchar_unlocked('b');                   // @unlocked
  return arg;
}

int main(int argc, char **argv) {
  what = argv[1];
  answer = gmtime(&when);
  asctime(answer);
  getpwuid(0);
  localeconv();
  hcreate(16);
  directory = opendir("/");
  RunThreads(2, (Body[]){First, Second});
}
