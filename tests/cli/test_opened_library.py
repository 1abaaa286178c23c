"""Libraries that the program opens while it runs: what heddle-cc did not build is named, with what it brings in, and the search
does not count as complete, wherever the library lies and whatever becomes of it. Nothing is said of those that heddle-cc built,
and of those of the system."""

import subprocess
import sys

from heddle_run import SECONDS, Case, read_json

ADD = "int x; void Add(void) { x++; }\n"
OUTER = "void Add(void); void Outer(void) { Add(); }\n"
MAIN = """
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#ifndef NAME
#define NAME "Add"
#endif
static void (*add)(void);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *Step(void *arg) {
  if (GUARDED) pthread_mutex_lock(&mutex);
  add();
  if (GUARDED) pthread_mutex_unlock(&mutex);
  return arg;
}
int main(int argc, char **argv) {
  BEFORE;
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return 9;
  add = (void (*)(void))dlsym(library, NAME);
  if (add == NULL) return 8;
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, Step, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  AFTER;
  return 0;
}
"""
OPEN = """
#include <dlfcn.h>
int main(int argc, char **argv) {
  (void)argc;
  return dlopen(argv[1], RTLD_NOW) == 0;
}
"""

USED = """
#include <semaphore.h>
#include <stdatomic.h>
static atomic_int uses;
void Use(sem_t *used) { sem_post(used); uses++; }
"""
UNLOAD = """
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
static void (*use)(sem_t *);
static sem_t used;
static void *Step(void *arg) { use(&used); return arg; }
int main(int argc, char **argv) {
  (void)argc;
  void *library = dlopen(argv[1], RTLD_NOW);
  use = (void (*)(sem_t *))dlsym(library, "Use");
  pthread_t thread;
  pthread_create(&thread, 0, Step, 0);
  sem_wait(&used);
  dlclose(library);
  pthread_join(thread, 0);
}
"""

case = Case(sys.argv[1])


def library(name, text, *flags, compiler="gcc"):
    return case.compile(name, text, "-shared", "-fPIC", *flags, compiler=compiler)


def program(name, guarded=1, before="", after="", symbol="Add"):
    return case.compile(name, f'#define GUARDED {guarded}\n#define BEFORE {before}\n#define AFTER {after}\n'
                        f'#define NAME "{symbol}"\n' + MAIN, "-ldl")


def check(*arguments, options=()):
    done = case.heddle("check", "--json", "result.json", *options, "--", *arguments)
    return done, read_json(case.path / "result.json")


def named(result):
    return [note["text"] for note in result["notes"]
            if note.get("reason") == "opened-not-rebuilt"]


def expect_named(what, names, *arguments, options=()):
    done, result = check(*arguments, options=options)
    notes = named(result)
    case.expect(f"{what}: named, not complete, nothing proved, status 0",
                len(notes) == 1 and all(name in notes[0] for name in names) and "libc." not in notes[0]
                and not result["complete"] and done.status == 0 and "nothing is proved" in done.out
                and "not a proof: opened while the program runs" in done.out, done)


def expect_nothing(what, executions, *arguments, options=()):
    done, result = check(*arguments, options=options)
    doubts = [note for note in result["notes"] if note["kind"] == "incomplete"]
    case.expect(f"{what}: every schedule explored ({executions}), no doubt", not doubts and result["complete"]
                and result["executions"] == executions and done.status == 0, done)


plain = library("libplain.so", ADD)
ours = library("libours.so", ADD, compiler="heddle-cc")
tiny = library("libtiny.so", "int Same(int x) { return x; }", compiler="heddle-cc")
brings = library("libbrings.so", OUTER, str(plain), compiler="heddle-cc")
plain_object = case.path / "plain.o"
subprocess.run(["gcc", "-g", "-fPIC", "-c", "-o", str(plain_object), "-x", "c", "-"], input=ADD, text=True, check=True,
               timeout=SECONDS, cwd=case.path)
partly = library("libpartly.so", OUTER, str(plain_object), compiler="heddle-cc")

guarded = program("guarded")
for options in ((), ("--rewind", "fork"), ("--order", "context-bounded")):
    how = " ".join(options) or "default"
    expect_named(f"a plain library, {how}", ["libplain.so"], guarded, plain, options=options)
# The two critical sections in both orders.
expect_nothing("built with heddle-cc", 2, guarded, ours)
expect_nothing("built with heddle-cc, --rewind fork", 2, guarded, ours, options=["--rewind", "fork"])
expect_named("given by a relative path", ["libplain.so"], guarded, "./libplain.so")
expect_named("in a directory that the program leaves", ["libplain.so"], program("leaves", after='chdir("/")'), "./libplain.so")
expect_named("closed again", ["libplain.so"], program("closes", after="dlclose(library)"), plain)
expect_named("what a library brings in", ["libplain.so"], program("outer", symbol="Outer"), brings)
done, result = check(program("outer", symbol="Outer"), partly)
case.expect("a plain object in a library of heddle-cc's: named by function, not complete",
            not result["complete"] and not named(result)
            and any("code in libpartly.so" in note["text"] and "Add" in note["text"] for note in result["notes"]), done)

opens = case.compile("opens", OPEN, "-ldl")
expect_nothing("built with heddle-cc, without an access", 1, opens, tiny)
for name in ("libm.so.6", "libgcc_s.so.1", "libstdc++.so.6"):
    expect_nothing(f"{name}", 1, opens, name)

# Unloaded while another thread is in its code: with which of its steps that is to be ordered is not known.
unloads = case.compile("unloads", UNLOAD, "-ldl")
used = library("libused.so", USED, compiler="heddle-cc")
done, result = check(unloads, used, options=["--order", "depth-first", "--reduction", "optimal"])
case.expect("dlclose beside a thread, with a reduction: not complete, and named", not result["complete"]
            and any(note.get("reason") == "unseen-syscall" and "dlclose" in note["text"] for note in result["notes"]), done)
done, result = check(unloads, used, options=["--order", "depth-first", "--reduction", "none"])
case.expect("dlclose beside a thread, without one: the crash is found",
            done.status == 1 and result["bugs"][0]["kind"] == "crash", done)

# An unlinked file, and an execution that does not live to report.
gone = library("libgone.so", ADD)
unlinks = program("unlinks", after="unlink(argv[1])")
done, result = check(unlinks, gone, options=["--executions", "1"])
case.expect("unlinked while the program runs: named as unreadable, not complete",
            len(named(result)) == 1 and "libgone.so" in named(result)[0] and "cannot be read" in named(result)[0]
            and not result["complete"], done)

# A race in the library: seen if heddle-cc built it, between the two x++, and its lines are named.
unguarded = program("unguarded", guarded=0)
done, result = check(unguarded, ours)
case.expect("a race in a library built with heddle-cc: found at its line, certain", done.status == 1
            and result["bugs"][0]["kind"] == "data-race" and "libours.so.c" in done.out
            and result["bugs"][0]["certain"], done)
replay = case.heddle("replay", result["bugs"][0]["schedule"])
case.expect("and it replays", replay.status == 1 and "libours.so.c" in replay.out, replay)
expect_named("a race in a plain one", ["libplain.so"], unguarded, plain)
# The library's own atomics may order what the program does: called through a pointer, which leaves no trace.
likely = case.compile("likely", '#define GUARDED 0\n#define BEFORE\n#define AFTER\n'
                      + MAIN.replace("add();", "add(); counter++;").replace(
                          "static void *Step", "static int counter;\nstatic void *Step"), "-ldl")
done, result = check(likely, plain)
case.expect("a race of the program's that a plain library may order is likely", done.status == 1
            and all(not bug["certain"] and bug["may_be_ordered_by"] == "libplain.so" for bug in result["bugs"]), done)
case.finish()
