"""A schedule as one line (docs/schedule-file.md): it is in every report, replays with this build and with another one whose
choices are the same, and says where it does not fit. heddle::Replay does the same in a test."""

import re
import sys

from heddle_run import Case, read_json

# Two builds: the second one has other lines, names, values, an inlined function and a lock that one thread takes alone.
DEADLOCK = """
#include <pthread.h>
#ifdef REBUILT
static long unused_before[100];


#define Transfer Move
static pthread_mutex_t alone = PTHREAD_MUTEX_INITIALIZER;
#endif
struct account { pthread_mutex_t lock; int money; };
static struct account alice = {PTHREAD_MUTEX_INITIALIZER, 5}, bob = {PTHREAD_MUTEX_INITIALIZER, 5};
static void Transfer(struct account *from, struct account *to) {
  pthread_mutex_lock(&from->lock);
#ifdef OTHER_LOCKS
  pthread_mutex_unlock(&from->lock);
#endif
  pthread_mutex_lock(&to->lock);
  from->money--, to->money++;
  pthread_mutex_unlock(&to->lock);
#ifndef OTHER_LOCKS
  pthread_mutex_unlock(&from->lock);
#endif
}
static void *There(void *arg) { Transfer(&alice, &bob); return arg; }
static void *Back(void *arg) {
#ifdef FIXED
  Transfer(&alice, &bob);
#else
  Transfer(&bob, &alice);
#endif
  return arg;
}
int main(void) {
  pthread_t threads[2];
#ifdef REBUILT
  pthread_mutex_lock(&alone);
  unused_before[7] = 7;
  pthread_mutex_unlock(&alone);
#endif
  pthread_create(&threads[0], 0, There, 0);
  pthread_create(&threads[1], 0, Back, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
"""
# Choices of all kinds: a value, a time limit, a waiter that is woken, an allocation that fails, a spurious wake-up.
CHOICES = """
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include "heddle.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int waiting, woken[3], timed_out, failed;
static void *Wait(void *arg) {
  int number = *(int *)arg;
  pthread_mutex_lock(&lock);
  waiting++;
  if (number == 2) {
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec++;
    timed_out = pthread_cond_timedwait(&ready, &lock, &soon) == ETIMEDOUT;
  } else {
    pthread_cond_wait(&ready, &lock);
  }
  woken[number] = 1;
  pthread_mutex_unlock(&lock);
  return arg;
}
int main(void) {
  pthread_t threads[3];
  int numbers[3] = {0, 1, 2}, value = heddle_choose(3);
  void *memory = malloc(8);
  failed = memory == 0;
  free(memory);
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, Wait, &numbers[i]);
  pthread_mutex_lock(&lock);
  heddle_assume(waiting == 3);
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  assert(!(woken[1] && !woken[0] && value == 2 && failed && timed_out));
  pthread_cond_broadcast(&ready);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
}
"""
# The loop waits at a place that the schedule names.
SPINS = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int locked, inside;
#ifdef REBUILT
int more(int x) { return 3 * x; }
#endif
static void Lock(void) { while (atomic_exchange(&locked, 1)) {} }
static void *Work(void *arg) {
#ifdef REBUILT
  arg = more(7) == 21 ? arg : 0;
#endif
  Lock();
  atomic_store(&locked, 0);
  int now = atomic_fetch_add(&inside, 1);
  assert(now == 0);
  atomic_fetch_sub(&inside, 1);
  return arg;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, Work, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
"""
TEST = """
#include <iostream>
#include <mutex>
#include <string>
#include <thread>
#include "heddle.hpp"
struct Pair { std::mutex a, b; };
static void Body(Pair &pair) {
  std::thread thread([&] {
    std::lock_guard<std::mutex> one(pair.b);
#ifndef FIXED
    std::lock_guard<std::mutex> two(pair.a);
#endif
  });
  {
    std::lock_guard<std::mutex> one(pair.a);
    std::lock_guard<std::mutex> two(pair.b);
  }
  thread.join();
}
int main(int argc, char **argv) {
  Pair pair;
  const heddle::Report report = argc > 1 ? heddle::Replay(argv[1], [&] { Body(pair); }) : heddle::Check([&] { Body(pair); });
  std::cout << report << "\\n";
  if (argc == 1) std::cout << "line: " << report.bugs.at(0).replay << "\\n";
  std::cout << (report.FoundBug() ? "bug" : report.Clean() ? "clean" : report.verdict == heddle::Verdict::kError ? "error" : "?")
            << "\\n";
}
"""
case = Case(sys.argv[1])


def line_of(program, *options):
    done = case.heddle("check", "--json", "result.json", *options, program)
    bug = (read_json(case.path / "result.json")["bugs"] or [{}])[0]
    line = bug.get("schedule_line", "")
    case.expect(f"{program.name}: the report has a line: {line}", done.status == 1 and line and f"  schedule: '{line}'\n" in done.out
                and done.out.index("  replay: ") < done.out.index("  schedule: "), done)
    kept = case.heddle("report", "result.json")
    case.expect("and so has that of the JSON", f"  schedule: '{line}'\n" in kept.out, kept)
    return line, bug


def steps_of(done):
    """The lines of the table, without times and places."""
    return re.findall(r"\| (.*)", done.out)


deadlock = case.compile("deadlock", DEADLOCK)
line, bug = line_of(deadlock)
by_file = case.heddle("replay", bug["schedule"])
done = case.heddle("replay", "--schedule", line, deadlock)
case.expect("the line shows the bug, as the file does", done.status == 1 and steps_of(done) == steps_of(by_file) != []
            and done.out.endswith("heddle: the bug of the schedule line shows\n"), done)
rebuilt = case.compile("rebuilt", DEADLOCK, "-DREBUILT", "-O2")
refused = case.heddle("replay", "--program", rebuilt, bug["schedule"])
case.expect("of another build the file is refused, with a way on", refused.status == 2 and "--schedule" in refused.err, refused)
done = case.heddle("replay", "--quiet", f"--schedule={line}", "--", rebuilt)
case.expect("the line shows it there, too", done.status == 1 and done.out == "heddle: the bug of the schedule line shows\n", done)
fixed = case.compile("fixed", DEADLOCK, "-DFIXED")
done = case.heddle("replay", "--schedule", line, fixed)
case.expect("of the fixed program it does not fit, and where", done.status == 2 and "does not fit" in done.err
            and re.search(r"at choice \d+ of \d+ \(\w+\) ", done.err) and "heddle check" in done.err and done.err.count("\n") == 1, done)
other = case.compile("other", DEADLOCK, "-DOTHER_LOCKS")
done = case.heddle("replay", "--schedule", line, other)
case.expect("nor where other locks are taken", done.status == 2 and "does not fit" in done.err, done)
words = line.split(": ")[1].split(" ")
done = case.heddle("replay", "--schedule", f"deadlock: {words[0]}", other)
case.expect("a line that ends early says so", done.status == 2 and "the program has to choose again" in done.err, done)
done = case.heddle("replay", "--schedule", f"deadlock: T9 {' '.join(words)}", deadlock)
case.expect("a thread that does not exist is named", done.status == 2 and "at choice 1 of" in done.err and "(T9)" in done.err, done)
done = case.heddle("replay", "--schedule", f"deadlock: =0 {' '.join(words)}", deadlock)
case.expect("an option where a thread is chosen, too", done.status == 2 and "at choice 1 of" in done.err and "(=0)" in done.err, done)
done = case.heddle("replay", "--schedule", f"{line} T1*100", deadlock)
case.expect("of a line that goes on behind its bug the bug counts", done.status == 1, done)
done = case.heddle("replay", "--schedule", "deadlock: T1 T2.", deadlock)
case.expect("what is no line is refused by its word", done.status == 2 and '"T2."' in done.err, done)
done = case.heddle("replay", "--schedule", "dedlock: T1*2", deadlock)
case.expect("a kind that there is not is refused in one line, which says what there is", done.status == 2
            and len(done.err.splitlines()) == 1 and '"dedlock", which is no kind of bug (there are' in done.err
            and ", deadlock," in done.err and done.err.endswith("did you mean deadlock?\n"), done)
done = case.heddle("replay", "--schedule", line)
case.expect("a program is asked for", done.status == 2 and "which program?" in done.err, done)
done = case.heddle("replay", "--gdb", "--schedule", line, deadlock)
case.expect("the debugger takes the file", done.status == 2 and "--gdb" in done.err, done)

# What there is to choose besides threads.
choices = case.compile("choices", CHOICES)
line, bug = line_of(choices, "--fail-allocations", "1", "--no-races")
case.expect("options are in it, and what was chosen", "fail-allocations=1" in line and "no-races" in line and "=2" in line, done)
again = case.heddle("replay", "--schedule", line, choices)
case.expect("and it shows the bug", again.status == 1 and "bug of the schedule line" in again.out, again)
without = case.heddle("replay", "--schedule", line.replace("=2", "=1", 1), choices)
case.expect("another value does not", without.status in (0, 2), without)
done = case.heddle("replay", "--schedule", line.replace("=2", "main", 1), choices)
case.expect("a thread where a value is chosen is refused", done.status == 2 and "an option, not a thread" in done.err, done)

# A place in the code.
spins = case.compile("spins", SPINS)
line, bug = line_of(spins)
case.expect("a loop that waits is named by its function", re.search(r"at=@\w+#\d", line) or "at=" not in line, done)
rebuilt = case.compile("spins_rebuilt", SPINS, "-DREBUILT")
for program in spins, rebuilt:
    done = case.heddle("replay", "--schedule", line, program)
    case.expect(f"{program.name}: and found there", done.status == 1, done)
done = case.heddle("replay", "--schedule", line.replace(":", " at=@Gone#1:", 1), spins)
case.expect("a place that is gone is named", done.status == 2 and "@Gone#1" in done.err, done)

# Places in functions of the C++ library, whose symbols take hundreds of characters.
LONG = """
#include <functional>
#include <map>
#include <mutex>
#include <thread>
struct Subject {
  std::mutex mutex;
  std::map<int, std::function<void(int)>> callbacks;
};
int main() {
  Subject subject;
  std::thread notifier([&] {
    std::lock_guard<std::mutex> guard(subject.mutex);
    for (auto &entry : subject.callbacks) entry.second(5);
  });
  std::thread listener([&] {
    int id = 7;
    std::lock_guard<std::mutex> guard(subject.mutex);
    subject.callbacks[id] = [&](int value) { id += value; };
  });
  notifier.join();
  listener.join();
}
"""
gone = case.compile("gone_frame", LONG, "-O0", compiler="heddle-c++")
line, bug = line_of(gone)
places = re.findall(r"at=(\S+)#\d+", line)
case.expect("long names are short in a line", places and all(len(place) <= 30 for place in places)
            and any(re.fullmatch(r"[@!]*~[0-9a-f]{8}(/\d+)?", place) for place in places), done)
done = case.heddle("replay", "--schedule", line, gone)
case.expect("and it shows the bug there", done.status == 1 and "use after return" in done.out, done)

# In a test.
test = case.compile("test", TEST, compiler="heddle-c++")
fixed = case.compile("test_fixed", TEST, "-DFIXED", compiler="heddle-c++")
done = case.heddle("--version")


def run(program, *arguments):
    import subprocess
    from heddle_run import Done, SECONDS
    ran = subprocess.run([program, *arguments], cwd=case.path, capture_output=True, text=True, timeout=SECONDS)
    return Done([str(program), *arguments], ran.returncode, ran.stdout, ran.stderr)


found = run(test)
match = re.search(r"^line: (.+)$", found.out, re.M)
case.expect("heddle::Check has the line", match and found.out.endswith("bug\n") and f"schedule: '{match[1]}'" in found.out, found)
line = match[1] if match else ""
again = run(test, line)
case.expect("heddle::Replay shows the bug", again.out.endswith("bug\n") and "deadlock" in again.out, again)
clean = run(fixed, line)
case.expect("of the fixed body it is clean, or says where it does not fit", clean.out.endswith("clean\n")
            or (clean.out.endswith("error\n") and "does not fit" in clean.out), clean)
case.finish()
