"""--suppressions: what is suppressed is no finding, is counted, and is explored nevertheless."""

import sys

from heddle_run import Case, read_json

PROGRAM = """
#include "run_threads.h"
#include <stdatomic.h>
static volatile int hint;
static atomic_int x;
static void Guess(void) { hint++; }
static void *Add(void *arg) { Guess(); int seen = x; x = seen + 1; return arg; }
int main() { RunSame(2, Add); assert(x == 2); }
"""
ANNOTATED = """
#include "run_threads.h"
void AnnotateBenignRaceSized(const char *, int, const volatile void *, unsigned long, const char *);
static volatile int hint;
static void *Add(void *arg) { hint = hint + 1; return arg; }
int main() {
  AnnotateBenignRaceSized(__FILE__, __LINE__, &hint, sizeof hint, "on purpose");
  RunSame(2, Add);
  assert(hint == 2);
}
"""
CROSSED = """
#include "run_threads.h"
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *Cross(void *arg) {
  pthread_mutex_t *first = arg ? &b : &a, *second = arg ? &a : &b;
  pthread_mutex_lock(first); pthread_mutex_lock(second);
  pthread_mutex_unlock(second); pthread_mutex_unlock(first);
  return 0;
}
int main() { RunSame(2, Cross); }
"""

case = Case(sys.argv[1])
program = case.compile("program", PROGRAM, "-fno-inline")
(case.path / "s.txt").write_text("# a guess\nrace:^Guess$\nrace:nobody\n")


def check(*arguments):
    done = case.heddle("check", "--json", "result.json", *arguments)
    return done, read_json(case.path / "result.json")


done, answer = check("--suppressions", "s.txt", program)
case.expect("the race is suppressed, and the assertion behind it is found",
            [bug["kind"] for bug in answer["bugs"]] == ["assertion"] and answer["suppressed"] > 0, done)
case.expect("a suppression that was not used is named", "race:nobody (s.txt:3) was not used" in done.out
            and "Guess$" not in done.out, done)
if answer["bugs"]:
    schedule = case.path / answer["bugs"][0]["schedule"]
    case.expect("the schedule names what was visible", '"visible": ["+0x' in schedule.read_text(), done)
    again = case.heddle("replay", schedule)
    case.expect("and replays", again.status == 1 and "shows again" in again.out, again)
done, answer = check("--suppressions", "s.txt", "--keep-going", program)
case.expect("and the search completes: 4 traces of each variable", answer["complete"] and answer["executions"] == 16
            and "suppressed" in answer["guarantee"] and not answer["weak_memory"]["holds"], done)
(case.path / "top.txt").write_text("race_top:Add\n")
done, answer = check("--suppressions", "top.txt", program)
case.expect("race_top does not look further than the access", answer["bugs"][0]["kind"] == "data-race", done)

done, answer = check(case.compile("annotated", ANNOTATED))
case.expect("a race that the program allows is none, and is explored",
            [bug["kind"] for bug in answer["bugs"]] == ["assertion"] and answer["suppressed"] > 0, done)

(case.path / "d.txt").write_text("deadlock:Cross\n")
done, answer = check("--suppressions", "d.txt", case.compile("crossed", CROSSED))
case.expect("a deadlock", not answer["bugs"] and answer["suppressed"] == 1 and answer["complete"], done)

(case.path / "bad.txt").write_text("race:a\nraces:b\n")
done = case.heddle("check", "--suppressions", "bad.txt", program)
case.expect("an unknown kind is refused by file and line", done.status == 2 and len(done.lines()) == 1
            and "bad.txt:2" in done.err, done)
done = case.heddle("check", "--suppressions", "nowhere.txt", program)
case.expect("a file that is not there", done.status == 2 and "nowhere.txt" in done.err, done)
case.finish()
