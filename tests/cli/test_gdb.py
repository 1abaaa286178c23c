"""heddle replay --gdb: stops where it fails, with a thread of the debugger's for each of the program's; goes through the
schedule and back; breakpoints, thread-local variables, next over scheduling points; the machine interface; what cannot be.

All of it but the first session is with heddle as it is installed; with `built` as second argument, with that of the build tree."""

import os
import re
import shutil
import subprocess
import sys

from heddle_run import Case

if not shutil.which("gdb") or subprocess.run(["gdb", "-nx", "-batch", "-ex", "python print(1)"], capture_output=True,
                                             text=True).stdout.strip() != "1":
    print("gdb with Python is not installed: left out (apt-get install gdb)")
    sys.exit(77)

SYNCHRONISED = """
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include <cassert>
#include <pthread.h>
#include <heddle.h>
thread_local int mine = 1;
thread_local char text[32];
static int pair[2];
static int turns;
static std::mutex m;
static std::condition_variable cv;
static bool ready;
static void Section(int n) {
  std::lock_guard<std::mutex> guard(m);
  heddle_atomic_begin();
  pair[0] = n;
  pair[1] = n;
  heddle_atomic_end();
}
static void Worker(int n) {
  mine = 10 * n;
  strcpy(text, n == 1 ? "first" : "second");
  if (n == 2) pthread_setname_np(pthread_self(), "the second one");
  Section(n);
  std::unique_lock<std::mutex> lock(m);
  if (n == 1) {
    bool in_time = cv.wait_for(lock, std::chrono::milliseconds(5), [] { return ready; });
    turns += mine;
    assert(in_time);  // @late
  } else {
    ready = true;
    cv.notify_one();
    turns += mine;
  }
}
int main() {
  std::thread a(Worker, 1), b(Worker, 2);
  a.join();
  b.join();
}
"""

RACE = """
#include <pthread.h>
static int x;
static void *add(void *amount) {
  int seen = x;
  x = seen + *(int *)amount;
  return 0;
}
int main(void) {
  pthread_t a, b;
  static int one = 1, two = 2;
  pthread_create(&a, 0, add, &one);
  pthread_create(&b, 0, add, &two);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
"""

CRASH = """
#include <pthread.h>
#include <stddef.h>
struct node { int value; struct node *next; };
static struct node *head, only = {7, NULL};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *take(void *unused) {
  pthread_mutex_lock(&m);
  struct node *first = head;
  pthread_mutex_unlock(&m);
  if (first == NULL) return NULL;
  pthread_mutex_lock(&m);
  int value = head->value;
  head = head->next;
  pthread_mutex_unlock(&m);
  return (void *)(long)value;
}
int main(void) {
  head = &only;
  pthread_t a, b;
  pthread_create(&a, NULL, take, NULL);
  pthread_create(&b, NULL, take, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
"""

FORKS = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static atomic_int x;
static void *add(void *unused) { int seen = x; x = seen + 1; return 0; }
int main(void) {
  pid_t child = fork();
  if (child == 0) _exit(7);
  int status = 0;
  waitpid(child, &status, 0);
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
}
"""

ELSEWHERE = """
#include <assert.h>
#include <stdlib.h>
int main(void) { assert(getenv("BUG") == NULL); }
"""

case = Case(sys.argv[1])
home = {**os.environ, "HOME": str(case.path), "COLUMNS": "200"}


def schedule(name, text, *flags, compiler="heddle-cc", options=(), env=None, shows=""):
    case.compile(name, text, "-O0", *flags, compiler=compiler)
    done = case.heddle("check", "--out", f"out-{name}", *options, f"./{name}", env=env or home)
    # Names depend on where the program is, so they tell nothing of which bug comes first.
    files = [file for file in (case.path / f"out-{name}").glob("*.heddle") if shows in file.read_text()]
    case.expect(f"{name}: a bug with a schedule", done.status == 1 and files, done)
    return files[0]


def example(number):
    path = next((case.source / "examples").glob(f"{number}_*.cpp"))
    return path.read_text()


def debug(file, commands, *options, env=None):
    """The finished session; `answers` has what each command printed, the arrival first."""
    script = case.path / "commands"
    script.write_text("set width 0\nset height 0\n" + "".join(f"echo \\n@@\\n\n{command}\n" for command in commands) + "echo \\n@@\\n\nquit\n")
    with open(script) as stdin:
        done = case.heddle("replay", "--gdb", *options, file, stdin=stdin, env=env or home)
    done.answers = [re.sub(r"^\(gdb\) ?", "", answer, flags=re.MULTILINE) for answer in done.out.split("\n@@\n")]
    done.answers += [""] * (len(commands) + 2 - len(done.answers))
    return done


def threads(answer):
    """By name: what `info threads` lists."""
    return re.findall(r'^[ *] +\d+ +(?:Thread|LWP) [^"\n]*"([^"\n]*)"', answer, re.MULTILINE)


def value(answer):
    found = re.search(r"\$\d+ = (.*)", answer)
    return found.group(1) if found else None


def line_of(text, mark):
    return next(n for n, line in enumerate(text.splitlines(), 1) if line.endswith(f"// {mark}"))


# gdb reads libheddle's debug information where there is some: it is stepped over, and not shown, none the less.
done = debug(schedule("built", RACE, shows="and write by T2"), ["thread apply all backtrace", "next"])
case.expect("debug information: the threads are in the program", "in main () at" in done.answers[1]
            and re.search(r"add \(amount=", done.answers[1]) and "heddle::" not in done.answers[2]
            and re.search(r"^\d+\s", done.answers[2], re.MULTILINE), done)
gdb_script = case.build / "heddle_gdb.py"
if sys.argv[2:] != ["built"]:
    case.install()
    gdb_script = case.build.parent / "share" / "heddle" / "heddle_gdb.py"

# A data race: before the second access, with the first one made.
race = schedule("race", RACE, shows="and write by T2")
done = debug(race, ["info threads", "print x", "print *(int *)amount", "thread apply all backtrace", "heddle-steps",
                    "heddle-back", "print x", "heddle-step", "print x", "frame", "next", "continue", "info threads", "run",
                    "heddle-where", "print x", "print *(int *)amount", "next", "info breakpoints"])
a = done.answers
second = re.search(r"here it fails: data-race: (.*)", a[0])
case.expect("race: stops, and says the recorded message", second and "data race on x" in second.group(1), done)
case.expect("race: it is before the second access", re.search(r"before step \d+ of \d+: T\d (reads|writes) x", a[0]), done)
case.expect("race: one thread for each that lives", sorted(threads(a[1])) in (["T1", "main"], ["T2", "main"]), done)
case.expect("race: each has its own stack in the program", "in main () at" in a[4] or re.search(r"in main *\(.*race.c", a[4]), done)
case.expect("race: and the other", re.search(r"add \(amount=", a[4]), done)
case.expect("race: the schedule is listed, with where it is", re.search(r"^=> +\d+  T\d (reads|writes) x", a[5], re.MULTILINE), done)
case.expect("race: the racing value is the first thread's", value(a[2]) in ("1", "2"), done)
case.expect("race: back and on again is the same place", value(a[2]) == value(a[9]) and "here it fails" in a[8], done)
case.expect("race: on from there the program ends", "exited normally" in a[12], done)
case.expect("race: run begins again, and comes to the same", "here it fails" in a[15] and value(a[16]) == value(a[2])
            and value(a[17]) == value(a[3]) is not None and "return 0" in a[18], done)
case.expect("race: the debugger's status", done.status == 0 and not done.leftover, done)

# A deadlock: everybody stands where they wait.
done = debug(schedule("deadlock", example("03"), compiler="heddle-c++"),
             ["info threads", "thread apply all backtrace", "heddle-threads", "heddle-thread T1", "print amount",
              "heddle-thread T2", "print amount", "next", "heddle-back", "info threads"])
a = done.answers
case.expect("deadlock: three threads", sorted(threads(a[1])) == ["T1", "T2", "main"], done)
waiting = line_of(example("03"), "@second")
case.expect("deadlock: says the cycle", f"T1 waits at deadlock.cpp:{waiting} for mutex bob.mutex, held by T2; "
            f"T2 waits at deadlock.cpp:{waiting} for mutex alice.mutex, held by T1" in a[0], done)
case.expect("deadlock: both wait at the second lock", a[2].count(f"deadlock.cpp:{waiting}") == 2
            and a[2].count("pthread_mutex_lock") == 2 and "std::thread::join" in a[2], done)
case.expect("deadlock: the threads' places in the program", len(re.findall(rf"T[12] +Transfer at .*:{waiting}, in pthread_mutex_lock", a[3])) == 2,
            done)
case.expect("deadlock: each thread's variables", (value(a[5]), value(a[7])) == ("10", "20"), done)

# Where the last step is the end of a thread, or main only joins: the one that waits is selected.
upgrade = (case.source / "tests" / "programs" / "wrong" / "rwlock_upgrade_alone.c").read_text()
done = debug(schedule("upgrade", upgrade), ["heddle-threads"])
case.expect("deadlock: stops in the thread that waits", "here it ends, in T1: deadlock: self-deadlock" in done.answers[0]
            and f"upgrade.c:{line_of(upgrade, '@upgrade')}" in done.answers[0]
            and re.search(r"^\* +\d+ +T1 +Upgrade at ", done.answers[1], re.MULTILINE), done)

# The ABA problem: an assertion.
done = debug(schedule("aba", example("05"), compiler="heddle-c++"),
             ["info threads", "backtrace", "heddle-back 3", "heddle-steps", "heddle-where", "print node->in_use", "heddle-goto"])
a = done.answers
case.expect("aba: stops at the assertion", "here it ends" in a[0] and "in_use.exchange(true)" in a[0], done)
case.expect("aba: backtraces hide what heddle does", "Acquire" in a[2] and a[2].count("heddle::runtime") <= 1, done)
number = re.search(r"step (\d+) of (\d+)", a[3])
case.expect("aba: three back", number and int(number.group(2)) - int(number.group(1)) in (2, 3) and "here it ends" not in a[3], done)
case.expect("aba: the list marks it", number and re.search(rf"^=> +{number.group(1)} ", a[4], re.MULTILINE), done)
case.expect("aba: and to the end again", "here it ends" in a[7], done)

# A crash: gdb sees the signal.
done = debug(schedule("crash", CRASH), ["print head", "info threads", "heddle-back", "info threads", "next", "continue"])
a = done.answers
case.expect("crash: gdb stops at SIGSEGV", "SIGSEGV" in a[0] and "head->value" in a[0] and "null pointer" in a[0], done)
case.expect("crash: with the pointer null", "0x0" in a[1], done)
case.expect("crash: from one step before, next crashes again", "head->value" in a[3] and "SIGSEGV" in a[5], done)

# std::thread, thread_local, a condition variable with a time limit, an atomic section, an assertion.
sync = schedule("sync", SYNCHRONISED, compiler="heddle-c++")
late = line_of(SYNCHRONISED, "@late")
done = debug(sync, ["info threads", "print mine", "print text", "heddle-thread T2", "print mine", "break Section", "heddle-goto 1",
                    "info breakpoints", "continue", "print n", "backtrace", "next", "next", "next", "next", "next", "heddle-threads",
                    "delete", "heddle-goto", "print mine", "print turns"])
a = done.answers
case.expect("sync: stops at the assertion", f"sync.cpp:{late}" in a[0] and "here it ends, in T1" in a[0], done)
case.expect("sync: thread-local variables", value(a[2]) == "10" and value(a[3]).startswith('"first"'), done)
case.expect("sync: breakpoints are as they were", re.search(r"keep y .*Section", a[8]), done)
case.expect("sync: and one is met", "Breakpoint 1, Section" in a[9] and value(a[10]) in ("1", "2"), done)
case.expect("sync: next comes back over a scheduling point, or meets the breakpoint in the other thread",
            all(re.search(r"^\d+\s|hit Breakpoint 1", answer, re.MULTILINE) for answer in a[12:14]), done)
case.expect("sync: a thread's name is the program's, and the report's", 'T2 "the second one"' in a[17], done)
case.expect("sync: no step into heddle where it ends", "heddle::runtime" not in a[16], done)
case.expect("sync: the same end again", f"sync.cpp:{late}" in a[19] and value(a[20]) == "10" and value(a[21]) == value(a[21]), done)

# Every step there, one by one; and the same values on the way back.
count = int(re.search(r"of (\d+)", a[0]).group(1))
done = debug(sync, ["heddle-goto 1", *(["heddle-step", "print turns"] * (count - 1)), "heddle-back", "print turns"])
steps = [(re.search(r"step (\d+) of", answer), value(done.answers[i + 1]))
         for i, answer in enumerate(done.answers[:-1]) if "step" in answer and i > 1]
numbers = [int(found.group(1)) for found, _ in steps if found]
case.expect("sync: each step in its turn", numbers[:count - 1] == list(range(2, count + 1)), done)
case.expect("sync: one back has the value that it had there", len(steps) > count - 2
            and dict((found.group(1), v) for found, v in steps[:count - 1] if found).get(steps[-1][0].group(1)) == steps[-1][1], done)

# A program whose executions ran in processes of their own, because it forks.
done = debug(schedule("forks", FORKS), ["info threads", "print status", "print x"])
a = done.answers
case.expect("forks: stops at the assertion, with the child's status", "here it ends" in a[0] and value(a[2]) == "1792" and value(a[3]) == "1",
            done)

# `kill`, in a session and in a batch of commands: gdb 13.1 crashed at the end of one, with an action of ours that had no time to run.
done = debug(race, ["kill", "info threads", "run", "kill", "heddle-goto 1", "kill"])
a = done.answers
case.expect("kill: the process is gone, and run begins again", "killed]" in a[1] and "No threads." in a[2] and "here it fails" in a[3]
            and "killed]" in a[4] and "step 1 of" in a[5] and "killed]" in a[6] and done.status == 0 and not done.leftover, done)
for commands in (["run", "kill"], ["run", "kill", "run", "kill"], ["run", "heddle-back", "kill"], ["run"]):
    words = [word for command in commands for word in ("-ex", command)]
    batch = subprocess.run(["timeout", "100", "gdb", "-nx", "-batch", "-ex", f"source {gdb_script}", "-ex", f"heddle-replay {race}", *words],
                           cwd=case.path, env=home, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    text = batch.stdout + batch.stderr
    case.expect(f"a batch: {', '.join(commands)}", batch.returncode == 0 and "here it fails" in text
                and text.count("killed]") == commands.count("kill") and "internal-error" not in text, done)

# What a front end does: gdb with the machine interface sources the script and takes up the schedule.
process = subprocess.Popen(["timeout", "100", "gdb", "-nx", "-q", "--interpreter=mi"], stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=case.path, env=home)
heard = []


def tell(command, until):
    """Sends a command; what is heard up to the line that is waited for, or the end."""
    process.stdin.write(command + "\n")
    process.stdin.flush()
    begin = len(heard)
    for line in process.stdout:
        heard.append(line)
        if re.search(until, line):
            break
    return "".join(heard[begin:])


DONE = r"^\^(done|error)"
tell(f'-interpreter-exec console "source {gdb_script}"', DONE)
tell(f'-interpreter-exec console "heddle-replay {race}"', DONE)
tell(f"-file-exec-and-symbols {case.path}/race", DONE)
arrived = tell("-exec-run", "here it fails")
listed = tell("-thread-info", DONE)
stack = tell("-stack-list-frames", DONE)
raced = tell("-data-evaluate-expression x", DONE)
stepped = tell("-exec-next", r"^\*stopped")
tell("-break-insert main", DONE)
at_main = tell("-exec-run", r'^\*stopped.*func="main"')
on = tell("-exec-next", r"^\*stopped")
back = tell('-interpreter-exec console "heddle-goto"', "here it fails")
process.stdin.write("-gdb-exit\n")
process.stdin.close()
process.wait()


class Heard:
    command, status, out, err = ["gdb", "--interpreter=mi"], process.returncode, "".join(heard), ""


case.expect("mi: -exec-run comes to the failing step", "here it fails: data-race" in arrived, Heard)
case.expect("mi: -thread-info has the threads by name", re.search(r'\^done,threads=.*name="main".*name="T\d"', listed), Heard)
case.expect("mi: -stack-list-frames begins in the program's code", re.search(r'\^done,stack=\[frame=\{level="0"[^}]*func="add"', stack), Heard)
case.expect("mi: -data-evaluate-expression", re.search(r'\^done,value="[12]"', raced), Heard)
case.expect("mi: -exec-next goes to the next line", re.search(r'end-stepping-range".*func="add"', stepped), Heard)
case.expect("mi: a breakpoint at main, and a step from there", re.search(r'breakpoint-hit".*func="main"', at_main)
            and re.search(r'end-stepping-range".*func="main"', on), Heard)
case.expect("mi: heddle's commands in the console", "here it fails" in back, Heard)

# gdb splits what its command `file` is given into words.
elsewhere = case.path / "it's \"$HOME\" here"
elsewhere.mkdir()
shutil.copy(case.path / "race", elsewhere / "a race")
done = debug(race, ["heddle-threads", "print x"], "--program", elsewhere / "a race")
case.expect("a program whose path has spaces and quotes", "here it fails: data-race" in done.answers[0]
            and "main" in done.answers[1] and value(done.answers[2]) in ("1", "2"), done)

# What cannot be.
done = debug(race, [], env={**home, "HEDDLE_GDB": "no-such-gdb"})
case.expect("no gdb: one line, status 2", done.status == 2 and len(done.lines()) == 1 and "apt-get install gdb" in done.err, done)
pythonless = case.path / "gdb-without-python"
pythonless.write_text("#!/bin/sh\nexit 1\n")
pythonless.chmod(0o755)
done = case.heddle("replay", f"--gdb={pythonless}", race, env=home)
case.expect("gdb without Python: one line, status 2", done.status == 2 and len(done.lines()) == 1 and "Python" in done.err, done)
refusal = case.path / "refuse.c"
refusal.write_text("#include <errno.h>\nlong ptrace(int request, ...) { errno = 1; return -1; }\n")
subprocess.run(["gcc", "-shared", "-fPIC", "-o", case.path / "refuse.so", refusal], check=True)
wrapper = case.path / "gdb-without-ptrace"
wrapper.write_text(f'#!/bin/sh\nLD_PRELOAD={case.path}/refuse.so exec gdb "$@"\n')
wrapper.chmod(0o755)
done = debug(race, ["info threads"], env={**home, "HEDDLE_GDB": str(wrapper)})
case.expect("no right to trace: says what to do", "--cap-add=SYS_PTRACE" in done.out + done.err, done)
elsewhere = schedule("elsewhere", ELSEWHERE, env={**home, "BUG": "1"})
done = debug(elsewhere, [])
case.expect("a schedule that does not show its bug is status 3, without gdb", done.status == 3 and "(gdb)" not in done.out, done)
case.finish()
