"""Objects and archives that heddle-cc did not instrument, linked into a program or library whose other objects it did: the
report names them, and the search does not count as complete, whatever linker put them together. Nothing is said of programs
that heddle-cc made alone: of the code that starts them, and of static libraries of the compiler. With `all` behind the build directory each way of linking
with each compiler, otherwise with one of them."""

import shutil
import subprocess
import sys

from heddle_run import SECONDS, Case, read_json, some

LOCK = """
static char taken;
static int Take(void) { return __atomic_test_and_set(&taken, __ATOMIC_ACQUIRE); }
void Lock(void) { while (Take()) __builtin_ia32_pause(); }
void Unlock(void) { __atomic_clear(&taken, __ATOMIC_RELEASE); }
"""
MAIN = """
#include <pthread.h>
void Lock(void), Unlock(void);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *Step(void *arg) { pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); return arg; }
int main() {
  pthread_t threads[2];
  Lock();
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, Step, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  Unlock();
}
"""
RACE = """
#include "run_threads.h"
void Lock(void), Unlock(void);
static int x;
static void *Add(void *arg) { Lock(); x++; Unlock(); return arg; }
int main() { RunSame(2, Add); }
"""
ASSEMBLY = """
  .text
  .globl Lock
Lock:
  incl taken(%rip)
  ret
  .globl Unlock
  .type Unlock, @function
Unlock:
  ret
  .local taken
  .comm taken, 4
  .section .note.GNU-stack, "", @progbits
"""
SHARED_CODE = "template <class T> __attribute__((noinline)) T Twice(T x) { return x + x; }\n"
PLAIN_CXX = SHARED_CODE + "int Plain(int x) { return Twice(x); }\n"
# Of the plain unit, nothing is left but its copy of Twice<int>.
ONLY_SHARED = SHARED_CODE + "template int Twice(int);\n"
CXX_MAIN = SHARED_CODE + """
#include <complex>
#include <iostream>
#include <map>
#include <mutex>
#include <string>
#include <thread>
static std::mutex mutex;
static std::map<std::string, int> counts;
static void Count(const char *what) { std::lock_guard guard(mutex); ++counts[what]; }
int main(int argc, char **) {
  std::thread a(Count, "a"), b(Count, "a");
  a.join();
  b.join();
  unsigned __int128 wide = argc;
  std::complex<double> z(argc, 1);
  z *= z;
  try {
    if (argc != 0) throw 1;
  } catch (int) {
  }
  std::cout << int(wide * wide / (argc + 1)) << z << counts["a"] << Twice(argc) << __builtin_cpu_supports("avx2") << '\\n';
}
"""
# Functions that the user wants to be left alone.
LEFT_ALONE = LOCK.replace("static int", "#define PLAIN __attribute__((no_sanitize(\"thread\")))\nPLAIN static int").replace(
    "void Lock", "PLAIN void Lock").replace("void Unlock", "PLAIN void Unlock")

case = Case(sys.argv[1])


def run(*command):
    command = [str(case.build / command[0]) if command[0].startswith("heddle") else command[0], *command[1:]]
    subprocess.run(command, check=True, timeout=SECONDS, cwd=case.path, stderr=subprocess.PIPE)


def write(name, text):
    (case.path / name).write_text(text)


def check(program, *options):
    done = case.heddle("check", "--memory-model", "sc", "--json", "result.json", *options, f"./{program}")
    return done, read_json(case.path / "result.json")


def unseen(result):
    return [note["text"] for note in result["notes"] if "did not instrument" in note["text"]]


def expect_named(what, program, *names, options=()):
    done, result = check(program, *options)
    notes = unseen(result)
    case.expect(f"{what}: named in the JSON, not complete, nothing proved, status 0",
                len(notes) == 1 and all(name in notes[0] for name in names) and not result["complete"]
                and "main" not in notes[0] and done.status == 0, done)
    case.expect(f"{what}: named in the text", "not a proof: code in " in done.out and "nothing is proved" in done.out
                and "every schedule explored" not in done.out and all(name in done.out for name in names), done)


def expect_nothing(what, program, *options):
    done, result = check(program, *options)
    reasons = [note["reason"] for note in result["notes"] if note["kind"] == "incomplete"]
    writes = "writes-files" in reasons  # profiles, when the program ends
    case.expect(f"{what}: every schedule explored, nothing is named", not unseen(result) and result["complete"] == (not writes)
                and reasons in ([], ["writes-files"]) and done.status == 0, done)


write("lock.c", LOCK)
write("main.c", MAIN)
write("race.c", RACE)
write("left.c", LEFT_ALONE)
write("lock.S", ASSEMBLY)
write("both.cpp", CXX_MAIN)
write("plain.cpp", PLAIN_CXX)
write("only.cpp", ONLY_SHARED)
compilers = [name for name in ("gcc", "clang") if shutil.which(name)]
linkers = [name for name in ("gold", "lld", "mold") if shutil.which(f"ld.{name}")]
for turn, compiler in enumerate(compilers):
    ours = ["heddle-cc", f"--heddle-compiler={compiler}", "-pthread"]
    ours_cxx = ["heddle-c++", f"--heddle-compiler={compiler}", "-std=c++17", "-pthread"]
    cxx = {"gcc": "g++", "clang": "clang++"}[compiler]
    for level in some(("-O0", "-O2"), 1, turn):
        what = f"{compiler} {level}"
        run(*ours, level, "-c", "main.c", "-o", "main.o")
        run(compiler, level, "-g", "-c", "lock.c", "-o", "lock.o")
        run(*ours, "main.o", "lock.o", "-o", "prog")
        expect_named(f"{what}, a plain object", "prog", "lock.c", "Unlock")
        run(*ours, level, "-c", "lock.c", "-o", "ours.o")
        run(*ours, "main.o", "ours.o", "-o", "prog")
        expect_nothing(f"{what}, the same object by heddle-cc", "prog")
        run("strip", "prog")
        expect_nothing(f"{what}, stripped", "prog", "--no-debug-info")

    run(compiler, "-O1", "-c", "lock.c", "-o", "lock.o")
    run("ar", "rcs", "libplain.a", "lock.o")
    run(*ours, "main.o", "libplain.a", "-o", "prog")
    expect_named(f"{compiler}, a plain archive without debug information", "prog", "Lock", "Unlock")
    run("strip", "prog")
    expect_named(f"{compiler}, stripped", "prog", "functions without a name", options=["--no-debug-info"])
    run("ar", "rcs", "libours.a", "ours.o")
    run(*ours, "main.o", "libours.a", "-o", "prog")
    expect_nothing(f"{compiler}, an archive of heddle-cc's", "prog")
    run(*ours, "-fno-sanitize=thread", "-c", "lock.c", "-o", "lock.o")
    run(*ours, "main.o", "lock.o", "-o", "prog")
    expect_named(f"{compiler}, -fno-sanitize=thread", "prog", "lock.c (")
    run(*ours, "-g", "main.c", "lock.S", "-o", "prog")
    expect_named(f"{compiler}, an assembly file", "prog", "lock.S (Lock, Unlock)")
    run(*ours, "main.c", "left.c", "-o", "prog")
    expect_nothing(f"{compiler}, no_sanitize", "prog")
    run(*ours, "-S", "lock.c", "-o", "later.s")
    run(*ours, "main.c", "later.s", "-o", "prog")
    expect_nothing(f"{compiler}, compiled by -S and assembled later", "prog")
    run("ld", "-r", "main.o", "ours.o", "-o", "joined.o")
    run(*ours, "joined.o", "-o", "prog")
    expect_nothing(f"{compiler}, joined by ld -r", "prog")
    run(compiler, "-c", "lock.c", "-o", "lock.o")
    run("ld", "-r", "main.o", "lock.o", "-o", "joined.o")
    run(*ours, "joined.o", "-o", "prog")
    expect_named(f"{compiler}, a plain object joined by ld -r", "prog", "Lock", "Unlock")

    # A library that heddle-cc linked.
    run(compiler, "-fPIC", "-c", "lock.c", "-o", "lock.o")
    write("wrap.c", "void Lock(void), Unlock(void); int inside; void In(void) { inside++; Lock(); Unlock(); }")
    run(*ours, "-shared", "-fPIC", "wrap.c", "lock.o", "-o", "libwrap.so")
    run(*ours, "main.c", "./libwrap.so", "-o", "prog")
    expect_named(f"{compiler}, a plain object in a library", "prog", "libwrap.so", "Unlock")

    # A race that the plain object may order.
    run(*ours, "-g", f"-I{case.source / 'tests' / 'programs'}", "race.c", "lock.o", "-o", "prog")
    done, result = check("prog")
    case.expect(f"{compiler}, a race: named, status 1 as before, likely",
                done.status == 1 and len(unseen(result)) == 1
                and all(not bug["certain"] and "Lock" in bug["may_be_ordered_by"] for bug in result["bugs"]), done)

    # Both units have Twice<int>; the linker takes the first.
    run(*ours_cxx, "-c", "both.cpp", "-o", "both.o")
    run(cxx, "-g", "-c", "plain.cpp", "-o", "plain.o")
    run(cxx, "-g", "-c", "only.cpp", "-o", "only.o")
    run(*ours_cxx, "plain.o", "both.o", "-o", "prog")
    done, result = check("prog")
    case.expect(f"{compiler}, C++: a plain unit and the plain copy of what both have",
                len(unseen(result)) == 1 and "plain.cpp (" in unseen(result)[0] and "Twice<int>" in unseen(result)[0]
                and "both.cpp" not in unseen(result)[0], done)
    run(*ours_cxx, "only.o", "both.o", "-o", "prog")
    done, result = check("prog")
    case.expect(f"{compiler}, C++: only the plain copy", len(unseen(result)) == 1 and "only.cpp (Twice<int>)" in
                unseen(result)[0], done)
    run(*ours_cxx, "both.o", "only.o", "-o", "prog")
    expect_nothing(f"{compiler}, C++: the plain copy was dropped", "prog")

    ways = ([], ["-Wl,-Bstatic", "-lstdc++", "-Wl,-Bdynamic", "-static-libgcc"], ["-O2", "-no-pie", "-fno-pie"], ["-O3", "-flto"],
            ["-O2", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections", "-Wl,-Bstatic", "-lstdc++", "-Wl,-Bdynamic"],
            *([f"-fuse-ld={linker}", "-Wl,--gc-sections"] for linker in linkers))
    for flags in some(ways, (len(ways) + 1) // 2, turn):
        compiles = any(flag.startswith(("-O", "-f")) and "-ld=" not in flag for flag in flags)
        run(*ours_cxx, "both.cpp" if compiles else "both.o", *flags, "-o", "prog")
        expect_nothing(f"{compiler}, C++ {' '.join(flags)}", "prog")
    for linker in linkers:
        run(*ours, f"-fuse-ld={linker}", "main.o", "libplain.a", "-o", "prog")
        expect_named(f"{compiler}, a plain archive with {linker}", "prog", "Lock", "Unlock")

# Code in assembly without a symbol or an entry in the table for unwinding.
write("local.s", """
  .text
.Lhidden:
  incl taken(%rip)
  ret
  .local taken
  .comm taken, 4
  .data
  .globl hidden
hidden: .quad .Lhidden
  .section .note.GNU-stack, "", @progbits
""")
write("through.c", "extern void (*hidden)(void);\nvoid Lock(void) { hidden(); }\nvoid Unlock(void) {}\n" + MAIN)
for turn, compiler in enumerate(compilers):
    ours = ["heddle-cc", f"--heddle-compiler={compiler}", "-pthread", "-g"]
    run(compiler, "-c", "local.s", "-o", "local.o")
    run(*ours, "-c", "through.c", "-o", "through.o")
    for objects in some((["local.o", "through.o"], ["through.o", "local.o"]), 1, turn):
        for flags in ([], ["-Wl,-x"], ["-no-pie"], *([f"-fuse-ld={linker}"] for linker in linkers)):
            run(*ours, *objects, *flags, "-o", "prog")
            expect_named(f"{compiler} {' '.join(objects + flags)}, code without a name", "prog", ".text+0x")
    for flags in (["-Wl,-x"], ["-no-pie", "-fno-pie", "-Wl,-x"], ["-falign-functions=64", "-O2"], ["-O2", "-flto", "-Wl,-x"],
                  *([f"-fuse-ld={linker}", "-falign-functions=64"] for linker in linkers)):
        run(*ours, "main.c", "lock.c", *flags, "-o", "prog")
        expect_nothing(f"{compiler} {' '.join(flags)}, padding and start code", "prog")

# What compilers link in for their profilers is theirs; an object beside it is not.
PROFILERS = {"gcc": [["-pg"], ["--coverage"], ["-fprofile-arcs"]],
             "clang": [["-pg"], ["--coverage"], ["-fprofile-generate"], ["-fprofile-instr-generate", "-fcoverage-mapping"]]}
for compiler in compilers:
    for flags in PROFILERS[compiler]:
        ours = ["heddle-cc", f"--heddle-compiler={compiler}", "-pthread", "-g", *flags]
        try:
            run(*ours, "main.c", "lock.c", "-o", "prog")
        except subprocess.CalledProcessError:
            print(f"skipped: {compiler} cannot link {' '.join(flags)}")
            continue
        expect_nothing(f"{compiler} {' '.join(flags)}", "prog")
        run(compiler, "-g", "-c", "lock.c", "-o", "lock.o")
        run(*ours, "main.c", "lock.o", "-o", "prog")
        expect_named(f"{compiler} {' '.join(flags)}, a plain object", "prog", "lock.c", "Unlock")

run("gcc", "-O2", "-flto", "-c", "lock.c", "-o", "lock.o")
run("heddle-cc", "--heddle-compiler=gcc", "-O2", "-pthread", "main.c", "lock.o", "-o", "prog")
expect_named("a plain object that is optimised when linking", "prog", "Lock", "Unlock")
write("many.c", "".join(f"void Plain{i}(void) {{}}\n" for i in range(9)) + LOCK)
run("gcc", "-c", "many.c", "-o", "many.o")
run("heddle-cc", "-pthread", "main.c", "many.o", "-o", "prog")
expect_named("many functions", "prog", "and 7 more")
case.finish()
