"""A program built with heddle-cc on a shared library that was not: the library's synchronisation is under control, in
whatever thread, and its threads are the program's."""

import sys

from heddle_run import Case

LIBRARY = """
#include <pthread.h>
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static void *Cross(void *from) {
  long first = (long)from;
  pthread_mutex_lock(&locks[first]);
  pthread_mutex_lock(&locks[1 - first]);
  pthread_mutex_unlock(&locks[1 - first]);
  pthread_mutex_unlock(&locks[first]);
  return 0;
}
void Lock(void) { pthread_mutex_lock(&locks[0]); }
void Unlock(void) { pthread_mutex_unlock(&locks[0]); }
void CrossThem(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, Cross, (void *)i);
  for (long i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
"""
GUARDED = """
#include "run_threads.h"
void Lock(void), Unlock(void);
static int x;
static void *Add(void *arg) { Lock(); x++; Unlock(); return arg; }
int main() { RunSame(3, Add); assert(x == 3); }
"""
CROSSED = "void CrossThem(void); int main() { CrossThem(); }"

case = Case(sys.argv[1])
library = case.compile("libplain.so", LIBRARY, "-shared", "-fPIC", compiler="gcc")
link = [f"-L{case.path}", "-l:libplain.so", f"-Wl,-rpath,{case.path}"]
done = case.heddle("check", "--order", "depth-first", case.compile("guarded", GUARDED, *link))
case.expect("locks of the library order the program's accesses: 3! executions, no race",
            done.status == 0 and "every schedule explored (6 executions)" in done.out, done)
done = case.heddle("check", case.compile("crossed", CROSSED, *link))
case.expect("a deadlock inside the library, at one preemption", done.status == 1 and "deadlock" in done.out
            and "1 preemption" in done.out, done)
case.finish()
