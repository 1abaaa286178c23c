"""Where the time of slow executions goes is measured and told: what main does before its first thread, putting memory back. And
what helps, helps."""

import sys

from heddle_run import Case, read_json

# 48 MB that are filled in main, or before it; in the latter case written again by a thread, or not.
PROGRAM = """
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
enum { kBytes = 48 << 20 };
static char *memory;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void Fill(void) {
  if (!memory) memory = malloc(kBytes);
  for (int round = 0; round < ROUNDS; round++) memset(memory, round + 1, kBytes);
}
#ifdef BEFORE
__attribute__((constructor)) static void Begin(void) { Fill(); }
#endif
static void *Work(void *arg) {
  pthread_mutex_lock(&lock);
#ifdef WRITES
  for (int i = 0; i < kBytes; i += 4096) memory[i]++;
#else
  memory[4096 * (long)arg]++;
#endif
  pthread_mutex_unlock(&lock);
  return arg;
}
int main(void) {
#ifndef BEFORE
  Fill();
#endif
  pthread_t threads[3];
  for (long i = 0; i < 3; i++) pthread_create(&threads[i], 0, Work, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
}
"""
case = Case(sys.argv[1])


def shares(name, *flags):
    program = case.compile(name, PROGRAM, *flags)
    done = case.heddle("check", "--executions", "6", "--json", f"{name}.json", program)
    time = read_json(case.path / f"{name}.json")["time"]
    case.expect(f"{name}: executions are measured: {time}", done.status == 0 and time["executions"] > 0 and time["ns"] > 0
                and time["restoring_ns"] + time["before_threads_ns"] <= time["ns"], done)
    return done, time


done, time = shares("in_main", "-DROUNDS=8")
case.expect("most of the time goes to main", time["before_threads_ns"] > time["ns"] / 2, done)
case.expect("text and JSON say so", "what main does before its first thread takes " in done.out and time["remark"] in done.out, done)
kept = case.heddle("report", "in_main.json")
case.expect("and the report of the JSON", time["remark"] in kept.out, kept)
in_main = time

done, time = shares("before_main", "-DROUNDS=8", "-DBEFORE")
case.expect("what is filled before main costs no execution anything", all(
    time[share] / time["executions"] < in_main[share] / in_main["executions"] / 4 for share in ("ns", "before_threads_ns")), done)
case.expect("and is not told", "remark" not in time and "before its first thread" not in done.out, done)

done, time = shares("writes", "-DROUNDS=1", "-DBEFORE", "-DWRITES")
case.expect("pages that are written are put back, which is measured", time["restoring_ns"] > time["ns"] / 100, done)
case.finish()
