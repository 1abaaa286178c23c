"""Whose rule of release sequences holds is said by the code that makes the relaxed store: by the language of its unit, however
that is given, with both compilers; and --release-sequences overrides it, for the replay of a schedule, too. With `all` behind the build directory each way with each compiler, otherwise with
one of them."""

import pathlib
import shutil
import subprocess
import sys

from heddle_run import Case, read_json, some

# Publishes x by a release store and a relaxed store of the same thread. Valid C and C++.
STORES = """
#ifdef __cplusplus
extern "C"
#endif
void Publish(TYPE *flag) {
  TYPE value = {2};
  __atomic_store(flag, &value, __ATOMIC_RELEASE);
  TYPE last = {1};
  __atomic_store(flag, &last, __ATOMIC_RELAXED);
}
"""
MAIN = """
#include <pthread.h>
void Publish(TYPE *flag);
static int x;
static TYPE flag;
static void *First(void *arg) { x = 1; Publish(&flag); return arg; }
static void *Second(void *arg) {
  TYPE seen;
  __atomic_load(&flag, &seen, __ATOMIC_ACQUIRE);
  return seen MEMBER == 1 && x != 1 ? arg : 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, First, 0);
  pthread_create(&b, 0, Second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
"""
CXX = ("heddle-c++",)
C = ("heddle-cc",)

case = Case(sys.argv[1])


def write(name, text, kind="int", member=""):
    path = case.path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"typedef {kind} Value;\n" + text.replace("TYPE", "Value").replace("MEMBER", member))
    return name


def run(*command, **options):
    driver = command[0]
    if driver.startswith("heddle"):
        command = (str(case.build / driver), *command[1:])
    subprocess.run(list(command), check=True, cwd=case.path, timeout=60, **options)


def races(program, *options):
    """Does heddle find the race? Anything but a race or a complete search is a failure of its own."""
    done = case.heddle("check", "--memory-model", "sc", *options, f"./{program}")
    clean = done.status == 0 and "every schedule explored" in done.out
    if not clean and not (done.status == 1 and "data race on x" in done.out):
        case.expect(f"{program}: an answer", False, done)
    return done.status == 1, done


def expect(what, c11, program="prog", *options):
    found, done = races(program, *options)
    case.expect(f"{what}: {'C11' if c11 else 'C++20'}", found != c11, done)


def link(*objects):
    run("heddle-cc", "-pthread", *objects, "main.o", "-o", "prog", "-latomic")


compilers = [name for name in ("gcc", "clang") if shutil.which(name)]
write("main.c", MAIN)
run("heddle-cc", "-g", "-c", "main.c")
for name in ("stores.c", "stores.cc", "plain"):
    write(name, STORES)

for turn, compiler in enumerate(compilers):
    chosen = f"--heddle-compiler={compiler}"
    # The language by the option, by the compiler's default, by -x, and by the driver that is called.
    ways = (((*C, "-std=c11", "stores.c"), True), ((*C, "-std=gnu17", "stores.c"), True),
                       ((*C, "-std=c2x", "stores.c"), True), ((*C, "-ansi", "stores.c"), True), ((*C, "stores.c"), True),
                       ((*CXX, "-std=c++17", "stores.cc"), True), ((*CXX, "-std=c++20", "stores.cc"), False),
                       ((*CXX, "-std=c++17", "-std=gnu++2a", "stores.cc"), False),
                       ((*C, "-x", "c++", "-std=c++20", "stores.c"), False), ((*C, "-x", "c", "plain"), True),
                       ((*C, "-x", "c++", "-std=c++20", "plain"), False), ((*CXX, "-x", "c", "stores.cc"), True))
    for words, c11 in some(ways, 6, turn):
        run(words[0], chosen, "-g", "-c", *words[1:], "-o", "stores.o")
        link("stores.o")
        expect(f"{compiler} {' '.join(words)}", c11)
    # However the code calls the functions.
    for flags in some(("-O0", "-O2", "-O2 -fPIC -fno-plt", "-O2 -mcmodel=large -fno-pie", "-g0", "-pipe"), 3, turn):
        for std, c11 in (("c++17", True), ("c++20", False)):
            run("heddle-c++", chosen, *flags.split(), f"-std={std}", "-c", "stores.cc", "-o", "stores.o")
            link("stores.o", *(["-no-pie"] if "pie" in flags else []))
            expect(f"{compiler} -std={std} {flags}", c11)
    # One command for several sources, to objects and to a program; preprocessed; from standard input.
    write("other.cc", "int Other() { return 0; }\n")
    run("heddle-cc", chosen, "-c", "-std=c++20", "stores.cc", "other.cc")
    link("stores.o", "other.o")
    expect(f"{compiler} -c of two sources of one language", False)
    write("other.c", "int InC(void) { return 0; }\n")
    # Clang refuses C sources beside an option for C++.
    for first, second, c11 in (("stores.c", "other.cc", True), ("other.c", "stores.cc", False)) if compiler == "gcc" else ():
        run("heddle-cc", chosen, "-c", "-std=c++20", first, second, stderr=subprocess.DEVNULL)
        link("stores.o")
        expect(f"{compiler} -c of a C source and one in C++20", c11)
    write("main.cc", MAIN.replace("void Publish", 'extern "C" void Publish', 1))
    run("heddle-c++", chosen, "-std=c++20", "-g", "-pthread", "stores.cc", "main.cc", "-o", "prog")
    expect(f"{compiler} to a program", False)
    run("heddle-c++", chosen, "-std=c++20", "-E", "stores.cc", "-o", "stores.ii")
    run("heddle-c++", chosen, "-std=c++20", "-c", "stores.ii", "-o", "stores.o")
    link("stores.o")
    expect(f"{compiler} preprocessed", False)
    for std, c11 in (("c++14", True), ("c++20", False)):
        run("heddle-cc", chosen, f"-std={std}", "-xc++", "-c", "-", "-o", "stores.o",
            input=(case.path / "stores.cc").read_bytes())
        link("stores.o")
        expect(f"{compiler} -std={std} from standard input", c11)
    # Sizes that are functions of libatomic.
    for kind, member in (("unsigned __int128", ""), ("struct { char at[3]; }", ".at[0]")):
        write("large_main.c", MAIN, kind, member)
        write("large.cc", STORES, kind)
        run("heddle-cc", chosen, "-g", "-c", "large_main.c", "-o", "large_main.o", stderr=subprocess.DEVNULL)
        for std, c11 in (("c++17", True), ("c++20", False)):
            run("heddle-c++", chosen, f"-std={std}", "-c", "large.cc", "-o", "large.o", stderr=subprocess.DEVNULL)
            run("heddle-cc", chosen, "-pthread", "large.o", "large_main.o", "-o", "prog", "-latomic")
            expect(f"{compiler} -std={std} {kind}", c11)

# Units of both languages in one program: each store is judged by its own.
run("heddle-c++", "-g", "-std=c++20", "-c", "main.cc", "-o", "main.o")
run("heddle-cc", "-std=c17", "-c", "stores.c", "-o", "stores.o")
run("heddle-c++", "-pthread", "stores.o", "main.o", "-o", "prog")
expect("a C unit in a C++20 program", True)
run("heddle-cc", "-g", "-c", "main.c")
run("heddle-c++", "-std=c++20", "-c", "stores.cc", "-o", "stores.o")
link("stores.o")
expect("a C++20 unit in a C program", False)

# Nobody says what these are: C++20's rule, which orders less. The option helps.
run("gcc", "-fsanitize=thread", "-c", "stores.c", "-o", "stores.o")
link("stores.o")
expect("an object that heddle-cc did not compile", False)
done = case.heddle("check", "--release-sequences", "c11", "./prog")
case.expect("... with --release-sequences c11: no race, and not complete, since heddle-cc did not instrument it",
            done.status == 0 and "did not instrument: Publish" in done.out, done)
run("heddle-cc", "-S", "stores.c", "-o", "stores.s")
run("heddle-cc", "-c", "stores.s", "-o", "stores.o")
link("stores.o")
expect("a C unit that was compiled by -S and assembled later", False)

# The option, in the result and in the schedule.
run("heddle-cc", "-g", "-pthread", "stores.c", "main.c", "-o", "prog")
for rule, c11 in (("auto", True), ("c11", True), ("c++20", False)):
    expect(f"--release-sequences {rule}", c11, "prog", "--release-sequences", rule, "--json", "result.json")
    case.expect(f"--release-sequences {rule} in the JSON", read_json(case.path / "result.json")["release_sequences"] == rule,
                races("prog")[1])
schedule = next((case.path / "heddle-out").glob("*.heddle"))
shutil.rmtree(case.path / "heddle-out")
done = case.heddle("check", "--release-sequences", "c++20", "./prog")
schedule = next((case.path / "heddle-out").glob("*.heddle"))
done = case.heddle("replay", schedule)
case.expect("a replay has the rule of its search", done.status == 1, done)
case.expect("the schedule says which", '"release-sequences": "c++20"' in pathlib.Path(schedule).read_text(), done)
done = case.heddle("check", "--release-sequences", "c17", "./prog")
case.expect("another word is refused", done.status == 2, done)
case.finish()
