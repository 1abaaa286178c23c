"""--suppressions in LeakSanitizer's and AddressSanitizer's formats: no leak hides another one, and no claim is made of what is
behind an access that is left out."""

import sys

from heddle_run import Case, read_json

# Three places, of which one is a wrapper that two functions call; who leaks from there depends on who comes last. All orders of
# three critical sections: 6.
LEAKS = """
#include "run_threads.h"
#include <stdlib.h>
#define APART __attribute__((noinline)) static
static void *volatile kept;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int last;
APART void Wrap(int bytes) { kept = malloc(bytes); kept = 0; }
APART void Harmless(void) { Wrap(8); kept = 0; }
APART void Harmful(void) { Wrap(16); kept = 0; }
static inline __attribute__((always_inline)) void Inlined(void) { kept = malloc(24); kept = 0; }
static void *Come(void *arg) { pthread_mutex_lock(&mutex); last = arg == 0; pthread_mutex_unlock(&mutex); return 0; }
static void *Wait(void *arg) { (void)arg; pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); return 0; }
int main(int count, char **words) {
  const Body bodies[] = {Come, Come, Wait};
  (void)words;
  RunThreads(3, bodies);
  Harmless();
  if (last == 1) Harmful();
  if (count > 1) Inlined();
}
"""
CXX = """
#include <cstdlib>
static void* volatile kept;
namespace lib { template <typename T> struct Cache { __attribute__((noinline)) void Fill(int) { kept = new T[5]; kept = nullptr; } }; }
int main() { lib::Cache<long>().Fill(1); kept = std::malloc(9); kept = nullptr; }
"""
ACCESSES = """
#include <assert.h>
#include <stdlib.h>
#include <string.h>
__attribute__((noinline)) static void Inner(char *to, const char *from, int count) { memcpy(to, from, count); to[0] = 1; }
__attribute__((noinline)) static void Outer(char *to, const char *from, int count) { Inner(to, from, count); to[0] = 1; }
int main(int count, char **words) {
  char *block = malloc(8);
  (void)words;
  if (count == 1) Outer(block, "0123456789", 8 + count);
  if (count == 2) ((volatile char *)block)[8] = 1;
  assert(count != 1);  /* behind it */
  free(block);
}
"""

case = Case(sys.argv[1])
leaks = case.compile("leaks", LEAKS)


def check(lines, *arguments, program=leaks):
    (case.path / "s.txt").write_text("\n".join(lines) + "\n")
    done = case.heddle("check", "--leaks", "--json", "result.json", "--suppressions", "s.txt", *arguments, *([] if "--resume" in arguments else [program]))
    return done, read_json(case.path / "result.json")


def callers(answer):
    """By whom each leak was allocated, without the wrapper."""
    stacks = [[frame["function"] for step in bug["steps"] for frame in step.get("stack", [])] for bug in answer["bugs"]]
    return sorted(next(name for name in stack if name != "Wrap") for stack in stacks)


done, answer = check(["# nothing"], "--keep-going")
case.expect("two leaks", callers(answer) == ["Harmful", "Harmless"] and answer["executions"] == 6, done)
if len(answer["bugs"]) == 2:
    for bug in answer["bugs"]:
        again = case.heddle("replay", "--json", "replay.json", case.path / bug["schedule"])
        shown = [one["identity"] for one in read_json(case.path / "replay.json")["bugs"]]
        case.expect("a replay shows the leak that it was recorded for", again.status == 1 and shown == [bug["identity"]], again)
for more in [], ["--keep-going"], ["--keep-going", "--jobs", "2"], ["--jobs", "2"], ["--reduction", "none", "--order", "depth-first"]:
    done, answer = check(["leak:^Harmless$"], *more)
    case.expect(f"what the wrapper's other caller leaks is not hidden {more}", callers(answer) == ["Harmful"] and answer["suppressed"] == 1
                and done.status == 1 and "was not used" not in done.out, done)
    done, answer = check(["leak:^Harmful", "leak:Harmless$"], *more)
    case.expect(f"all are suppressed, and counted {more}", not answer["bugs"] and answer["suppressed"] == 2 and answer["complete"]
                and "but 2 suppressed findings" in answer["guarantee"] and done.status == 0 and "was not used" not in done.out, done)
for line in "leak:leaks.c$", "leak:*/leaks", "leak:^Wrap", "leak:main":
    done, answer = check([line], "--keep-going")
    case.expect(f"any frame, by function, file or module: {line}", not answer["bugs"] and answer["suppressed"] == 2, done)
for line in "leak:^leaks", "leak:Wrap()", "race:Wrap", "interceptor_via_fun:Wrap":
    done, answer = check([line], "--keep-going")
    case.expect(f"a pattern with parameters is told so: {line}", ("without their parameters" in done.out) == ("(" in line), done)
    case.expect(f"no match: {line}", len(answer["bugs"]) == 2 and answer["suppressed"] == 0 and "was not used" in done.out, done)
(case.path / "s.txt").write_text("leak:Harm\n")
done = case.heddle("check", "--leaks", "--json", "result.json", "--suppressions", "s.txt", leaks, "inlined")
case.expect("an inlined function is a frame", [bug["kind"] for bug in read_json(case.path / "result.json")["bugs"]] == ["leak"], done)
(case.path / "s.txt").write_text("leak:Harm\nleak:^Inlined$\n")
done = case.heddle("check", "--leaks", "--json", "result.json", "--suppressions", "s.txt", leaks, "inlined")
case.expect("and has a name", not read_json(case.path / "result.json")["bugs"], done)

done, answer = check(["leak:^Harmless", "race:Nobody"], "--keep-going", "--jobs", "1", "--executions", "1", "--save", "saved")
case.expect("saved with the first leak left out", answer["suppressed"] == 1 and not answer["bugs"], done)
done, answer = check(["leak:Nobody"], "--resume", "saved", "--executions", "100")
case.expect("gone on with, the other one is found", callers(answer) == ["Harmful"] and answer["complete"] and answer["suppressed"] == 1
            and "race:Nobody" in done.out and "leak:^Harmless" not in done.out, done)

cxx = case.compile("cxx", CXX, compiler="heddle-c++")
done, answer = check(["leak:^lib::Cache<long>::Fill$"], program=cxx)
case.expect("names of C++", [bug["locations"][0]["function"] for bug in answer["bugs"]] == ["main"] and answer["suppressed"] == 1, done)

accesses = case.compile("accesses", ACCESSES)
for line in "interceptor_name:^memcpy$", "interceptor_via_fun:^Outer$", "interceptor_via_lib:/accesses$":
    done, answer = check(["race:nobody", line], program=accesses)
    reasons = [note.get("reason") for note in answer["notes"]]
    case.expect(f"an access of memcpy's: {line}", not answer["bugs"] and answer["suppressed"] == 1, done)
    case.expect("nothing is claimed of what is behind it", answer["verdict"] == "incomplete" and not answer["complete"]
                and "suppressed-ending" in reasons and "every schedule explored" not in answer["guarantee"], done)
done, answer = check(["interceptor_name:memmove", "interceptor_via_fun:accesses.c", "interceptor_via_lib:Outer"], program=accesses)
case.expect("by other names", [bug["kind"] for bug in answer["bugs"]] == ["heap-buffer-overflow"], done)
(case.path / "s.txt").write_text("interceptor_via_fun:main\n")
done = case.heddle("check", "--json", "result.json", "--suppressions", "s.txt", accesses, "own")
case.expect("the program's own access is not left out", done.status == 1 and not read_json(case.path / "result.json")["suppressed"], done)

done, answer = check(["odr_violation:^x$", "signal:x", "leak:Harm", "deadlock:x", "alloc_dealloc_mismatch:x"])
case.expect("a file of all formats", done.status == 0 and "odr_violation:^x$ (s.txt:1) has no effect" in done.out
            and "deadlock:x (s.txt:4) was not used" in done.out, done)
(case.path / "bad.txt").write_text("leak:a\nleaks:b\n")
done = case.heddle("check", "--suppressions", "bad.txt", leaks)
case.expect("an unknown type is refused in a line", done.status == 2 and len(done.lines()) == 1 and "bad.txt:2" in done.err
            and "alloc_dealloc_mismatch:" in done.err, done)
case.finish()
