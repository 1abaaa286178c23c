// Strings with a hash that is computed when it is first asked for, and stored without a lock: every thread stores the same value, a race that is meant.
// Behind it, a table of interned strings: "look, and if it is not there insert" in two sections.
// Interleaving: two threads intern equal strings at once and get different objects.
// bug: preemptions=1 threads=4 search="--no-races"
// heddle: check --no-races
// expect: verdict=bug kind=assertion
// heddle: check --keep-going --executions 2000
// expect: verdict=bug kinds=data-race,assertion
// fixed: check --no-races
// expect: verdict=clean complete=true
#include "run_threads.h"

enum { kStrings = 4 };

typedef struct {
  const char *text;
  unsigned hash;  // 0: not computed yet. Racy on purpose
} String;

static String strings[kStrings] = {{"red", 0}, {"green", 0}, {"red", 0}, {"blue", 0}};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static String *table[kStrings];
static int interned;

static unsigned Hash(String *s) {
  if (s->hash == 0) {
    unsigned hash = 5381;
    for (const char *c = s->text; *c; c++) hash = hash * 33 + (unsigned char)*c;
    s->hash = hash;
  }
  return s->hash;
}

static String *Find(String *s) {
  for (int i = 0; i < interned; i++)
    if (Hash(table[i]) == Hash(s)) return table[i];
  return 0;
}

static String *Intern(String *s) {
  pthread_mutex_lock(&mutex);
  String *found = Find(s);
#ifndef FIXED
  pthread_mutex_unlock(&mutex);
  if (found) return found;
  pthread_mutex_lock(&mutex);
#endif
  if (!found) table[interned++] = found = s;
  pthread_mutex_unlock(&mutex);
  return found;
}

static void *Run(void *arg) {
  long self = (long)arg;
  String *a = Intern(&strings[self]);
  String *b = Intern(&strings[3]);
  Hash(&strings[0]), Hash(&strings[2]);
  (void)a, (void)b;
  return 0;
}

int main() {
  RunSame(3, Run);
  assert(Intern(&strings[0]) == Intern(&strings[2]));
  assert(interned == 3);
}
