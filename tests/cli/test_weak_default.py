"""The default decides by itself whether it goes on under C11's memory model: what the text, the JSON and the status say."""

import sys

from heddle_run import Case, read_json
from piece_programs import RELAXED

# Two threads each store and then load what the other stores: store buffering, which two more executions show. With
# argument 1 an assertion forbids what no interleaving has. With 2 a part of a word is accessed, too.
PROGRAM = """
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int x, y;
static int got[2];
static void *A(void *arg) {
  atomic_store_explicit(&x, 1, memory_order_release);
  got[0] = atomic_load_explicit(&y, memory_order_acquire);
  return arg;
}
static void *B(void *arg) {
  atomic_store_explicit(&y, 1, memory_order_release);
  got[1] = atomic_load_explicit(&x, memory_order_acquire);
  return arg;
}
int main(int argc, char **argv) {
  pthread_t a, b;
  pthread_create(&a, 0, A, 0);
  pthread_create(&b, 0, B, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (argc > 1 && argv[1][0] == '2') __atomic_load_n((char *)&x, __ATOMIC_RELAXED);
  if (argc > 1 && argv[1][0] == '1') assert(got[0] + got[1] != 0);
  char label[20];
  snprintf(label, sizeof label, "%d%d", got[0], got[1]);
  heddle_outcome(label);
}
"""

case = Case(sys.argv[1])
program = case.compile("buffers", PROGRAM)


def check(*arguments):
    done = case.heddle("check", "--json", "result.json", *arguments)
    return done, read_json(case.path / "result.json")


# Three interleavings that differ, and a fourth outcome.
done, json = check("--", program, "0")
search = json["weak_memory"]["search"]
case.expect("both searches are complete", done.status == 0 and json["complete"] and search["complete"] and search["sc_complete"]
            and json["weak_memory"]["holds"] and json["coverage"]["happens_before"] == 3 and search["executions"] == 4
            and json["memory_model"] == "sc" and json["stop"] == search["stop"] == "exhausted", done)
case.expect("the guarantee is that of the stronger question",
            "every execution under C11's memory model explored (4 executions): no bug" in done.out
            and "and 4 under C11's memory model" in done.out and "not explored" not in done.out, done)
case.expect("an outcome that no interleaving has is marked", set(json["outcomes"]) == {"00", "01", "10", "11"}
            and [label for label, outcome in json["outcomes"].items() if outcome.get("c11_only")] == ["00"]
            and "00  (under C11's memory model only)" in done.out, done)
report = case.heddle("report", "result.json")
case.expect("the file says the same", "every execution under C11's memory model explored (4 executions)" in report.out
            and "00  (under C11's memory model only)" in report.out, report)
page = case.heddle("report", "--html", "result.json")
case.expect("so does the page", "Under C11" in page.out and "to be reordered" not in page.out, page)

# A bug that only the second search has: the status, the schedule.
done, json = check("--", program, "1")
search = json["weak_memory"]["search"]
case.expect("a bug that no interleaving has", done.status == 1 and [bug["kind"] for bug in json["bugs"]] == ["assertion"]
            and search["sc_complete"] and not search["complete"] and not json["complete"] and search["stop"] == "bug", done)
case.expect("it says which executions have none", "every sequentially consistent execution explored" in done.out
            and "no bug; stopped at the first bug after" in done.out, done)
again = case.heddle("replay", json["bugs"][0]["schedule"])
case.expect("its schedule replays", again.status == 1, again)
quiet = case.heddle("check", "--quiet", "--", program, "1")
case.expect("--quiet has a line for it", quiet.status == 1 and quiet.out.count("\n") == 1 and "assertion" in quiet.out, quiet)

# The weaker question, and limits that the second search meets.
done, json = check("--memory-model", "sc", "--", program, "1")
case.expect("--memory-model sc asks the weaker question", done.status == 0 and json["complete"]
            and "search" not in json["weak_memory"] and "not tried" in done.out, done)
for option in ("--reduction=optimal", "--order=depth-first", "--bound=preemptions=2", "--no-races", "--timeouts=last"):
    done, json = check(option, "--", program, "1")
    case.expect(f"{option} asks for one search", "search" not in json["weak_memory"] and not json["bugs"], done)

# What the second search does not model: the low byte of a word.
done, json = check("--require-complete", "--", program, "2")
search = json["weak_memory"]["search"]
case.expect("--require-complete follows the stronger question", done.status == 4 and not json["complete"]
            and search["sc_complete"] and not search["complete"] and json["stop"] == "exhausted"
            and "no bug found; not a proof under C11's memory model: " in done.out
            and "every sequentially consistent execution explored" in done.out
            and "executions, which may not be all" in done.out, done)
done, _ = check("--require-complete", "--memory-model", "sc", "--", program, "2")
case.expect("... which --memory-model sc does not ask", done.status == 0, done)

# What changes nothing and yet is ordered by the standard: a notification that comes too early, once that is done already.
ORDERED = """
#include "run_threads.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int ready, made;
static void Make(void) { made = 1; }
static void *Tell(void *arg) {
  pthread_once(&once, Make);
  pthread_mutex_lock(&m);
  ready = made;
  pthread_mutex_unlock(&m);
  pthread_cond_signal(&c);
  return arg;
}
static void *Wait(void *arg) {
  pthread_once(&once, Make);
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  assert(made);
  pthread_mutex_unlock(&m);
  return arg;
}
int main() { RunThreads(2, (Body[]){Tell, Wait}); }
"""
done, json = check("--", case.compile("ordered", ORDERED))
case.expect("such operations are no reason against the proof", json["weak_memory"]["holds"] and "search" not in json["weak_memory"]
            and "no bug within what heddle checks, under C11's memory model too" in done.out, done)

# Both searches are saved, and gone on with.
relaxed = case.compile("relaxed", RELAXED)
_, whole = check("--", relaxed)
first, second = whole["executions"], whole["weak_memory"]["search"]["executions"]
done, json = check("--save", "q.saved", "--executions", 2 * first, "--", relaxed)
begun = json["weak_memory"]["search"]["executions"]
case.expect("a limit ends the second search", 0 < begun < second and json["saved"]["file"] == "q.saved"
            and "go on" in done.out and "heddle check --resume q.saved\n" in done.out and not json["complete"], done)
done, json = check("--resume", "q.saved", "--executions", 3 * first)
case.expect("it goes on", begun < json["weak_memory"]["search"]["executions"] < second and json["executions"] == first, done)
refused = case.heddle("check", "--save", "q.saved", "--", relaxed)
case.expect("what is not finished is not written over", refused.status == 2 and "not finished" in refused.err, refused)
refused = case.heddle("split", "q.saved", "2", "-o", "pieces")
case.expect("it is what is left to cut", refused.status == 2 and "q.saved.c11 has the search that follows it" in refused.err, refused)
for what in ("to its end", "and says so again"):
    done, json = check("--resume", "q.saved")
    case.expect(what, json["weak_memory"]["search"]["executions"] == second and json["executions"] == first and json["complete"]
                and sorted(json["outcomes"]) == sorted(whole["outcomes"]) and "go on" not in done.out, done)
case.heddle("check", "--memory-model", "sc", "--save", "sc.saved", "--", relaxed)
(case.path / "q.saved.c11").rename(case.path / "kept")
(case.path / "sc.saved").rename(case.path / "q.saved.c11")
refused = case.heddle("check", "--resume", "q.saved")
case.expect("another search is none that follows", refused.status == 2 and "is not the search that follows" in refused.err, refused)
(case.path / "kept").rename(case.path / "q.saved.c11")
done, json = check("--save", "q.saved", "--executions", 5, "--", relaxed)
case.expect("a new search in its place", "search" not in json["weak_memory"] and not (case.path / "q.saved.c11").exists(), done)
done, json = check("--resume", "q.saved")
case.expect("has a second one of its own", json["weak_memory"]["search"]["executions"] == second and json["complete"], done)
case.finish()
