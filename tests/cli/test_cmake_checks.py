"""heddle_add_check and heddle_discover_tests of the installed CMake package: what ctest runs, and what it says.

Names of cases that CMake's quoting could spoil come from a fake `heddle`, which lists what a file says and writes down
how it was called. Where `heddle check` can list cases itself, a GoogleTest program is explored, too.

Usage: test_cmake_checks.py BUILD_DIR
"""

import json
import os
import shutil
import subprocess
import sys

from heddle_run import Case, Done

NAMES = ["Plain.Case", "two words", " spaces at both ends ", "semi;colon;;s", "[brackets] ]] ]===] [==[", "open [ only", "close ] only",
         'quotes "double" and \'single\'', "${variable} $ENV{HOME} $<CONFIG> @AT@ $", "back\\slash \\n \\", "# no comment #[[", "-dash",
         "a=b", "grün", "Typed/0.Case/1", "x" * 300, "fails"]

# A `python3` of PATH may be a script that looks for the interpreter, which takes longer than what it runs.
FAKE = f"#!{sys.executable} -S\n" + """
import json, pathlib, sys
options, program = sys.argv[1:], []
if "--" in options:
    options, program = options[:options.index("--")], options[options.index("--") + 1:]
if "--list-cases" in options:
    names = pathlib.Path(__file__).with_name("names")
    if not names.exists():
        print("heddle: that program uses no test framework", file=sys.stderr)
        sys.exit(2)
    print(names.read_text(), end="")
    sys.exit(0)
with open(pathlib.Path(__file__).with_name("calls"), "a") as calls:
    print(json.dumps([options, program]), file=calls)
sys.exit("--case=fails" in options)
"""

PROJECT = """cmake_minimum_required(VERSION 3.18)
project(consumer C)
enable_testing()
find_package(heddle 0.1 REQUIRED)
add_executable(queue_test main.c)
"""


def run(case, *command, **options):
    process = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                             timeout=300, cwd=case.path, **options)
    return Done(list(map(str, command)), process.returncode, process.stdout, "")


def install(case, folder):
    done = run(case, "cmake", "--install", case.build, "--prefix", case.path / folder)
    case.expect("heddle is installed", done.status == 0, done)
    return case.path / folder


def configure(case, name, prefix, text, *options, source="int main(void) { return 0; }\n"):
    project = case.path / name
    project.mkdir(exist_ok=True)
    (project / "CMakeLists.txt").write_text(text)
    if source:
        (project / "main.c").write_text(source)
    return run(case, "cmake", "-S", project, "-B", project / "b", f"-DCMAKE_PREFIX_PATH={prefix}", *options)


def tests_of(case, tree, *options):
    done = run(case, "ctest", "--test-dir", tree, "--show-only=json-v1", *options)
    try:
        found = json.loads(done.out[done.out.index("{"):])["tests"]
    except ValueError:
        case.expect("ctest lists its tests", False, done)
        return {}, done
    return {test["name"]: test for test in found}, done


def properties_of(test):
    return {each["name"]: each["value"] for each in test["properties"]}


def check_discovery(case, prefix, generator, config):
    """A project whose cases have every name of NAMES: before it is built, built, built again with other cases."""
    text = PROJECT + """
heddle_discover_tests(TARGET queue_test OPTIONS --time "1 s" --bound preemptions=2 ARGS --quick "a b" "c;d" "\\$x\\\\"
                      PROPERTIES LABELS "slow;queue" ENVIRONMENT "A=1;B=2" COST 7 TIMEOUT 77)
heddle_discover_tests(TARGET queue_test OPTIONS --out elsewhere --color=always PREFIX "" TIMEOUT 88)
"""
    name = generator.replace(" ", "_")
    tree = case.path / name / "b"
    of_config = ["-C", config] if config else []
    names_file, calls_file = prefix / "bin" / "names", prefix / "bin" / "calls"
    names_file.write_text("".join(f"{each}\n" for each in NAMES))
    done = configure(case, name, prefix, text, "-G", generator)
    case.expect(f"{generator}: configured", done.status == 0, done)
    found, done = tests_of(case, tree, *of_config)
    case.expect(f"{generator}: not built yet is a test that fails", list(found) == ["queue_test_NOT_BUILT"], done)
    build = ["cmake", "--build", tree, *(["--config", config] if config else [])]
    done = run(case, *build)
    case.expect(f"{generator}: built", done.status == 0, done)

    found, done = tests_of(case, tree, *of_config)
    wanted = ["queue_test." + each for each in NAMES] + NAMES
    case.expect(f"{generator}: every name is a test", sorted(found) == sorted(wanted), done)
    program = str(tree / (config or "") / "queue_test")
    outs = set()
    for each in NAMES:
        test = found.get("queue_test." + each)
        if not test:
            continue
        command, properties = test["command"], properties_of(test)
        outs.update(part for part in command if part.startswith(("--out=", "--json=")))
        fits = (command[:3] == [str(prefix / "bin" / "heddle"), "check", "--color=never"] and
                command[5:] == ["--case=" + each, "--time", "1 s", "--bound", "preemptions=2", "--", program, "--quick", "a b", "c;d",
                                "$x\\"] and
                properties.get("LABELS") == ["heddle", "queue", "slow"] and properties.get("ENVIRONMENT") == ["A=1", "B=2"] and
                properties.get("TIMEOUT") == 77 and properties.get("COST") == 7)
        case.expect(f"{generator}: command and properties of {each[:40]!r}", fits, Done(command, 0, json.dumps(test, indent=1), ""))
    case.expect(f"{generator}: files of its own for each", len(outs) == 2 * len(NAMES), Done(sorted(outs), 0, "", ""))
    bare = found.get("Plain.Case")
    case.expect(f"{generator}: what OPTIONS has is not given twice",
                bare and bare["command"][2:] == [f"--json={tree}/heddle-results/Plain.Case.json", "--case=Plain.Case", "--out", "elsewhere",
                                                 "--color=always", "--", program] and properties_of(bare)["TIMEOUT"] == 88,
                Done([], 0, json.dumps(bare, indent=1), ""))

    calls_file.unlink(missing_ok=True)
    done = run(case, "ctest", "--test-dir", tree, *of_config)
    called = [json.loads(line) for line in calls_file.read_text().splitlines()]
    cases = sorted(option[len("--case="):] for options, _ in called for option in options if option.startswith("--case="))
    case.expect(f"{generator}: every case is run by its name", cases == sorted(NAMES * 2), done)
    case.expect(f"{generator}: those that fail fail", done.status == 8 and "2 tests failed" in done.out, done)

    names_file.write_text("Another.Case\nPlain.Case")  # without an end of its last line
    (case.path / name / "main.c").write_text("int main(void) { return 1; }\n")
    done = run(case, *build)
    case.expect(f"{generator}: built again, without CMake", done.status == 0 and "Configuring done" not in done.out, done)
    found, done = tests_of(case, tree, *of_config)
    case.expect(f"{generator}: other cases are found",
                sorted(found) == ["Another.Case", "Plain.Case", "queue_test.Another.Case", "queue_test.Plain.Case"], done)


def check_nothing_to_list(case, prefix):
    text = PROJECT + "heddle_discover_tests(TARGET queue_test)\n"
    configure(case, "nothing", prefix, text, "-G", "Ninja")
    names = prefix / "bin" / "names"
    names.unlink()
    done = run(case, "cmake", "--build", case.path / "nothing" / "b")
    case.expect("a program without a framework: the build fails, and says why",
                done.status != 0 and "heddle: that program uses no test framework" in " ".join(done.out.split()), done)
    names.write_text("")
    done = run(case, "cmake", "--build", case.path / "nothing" / "b")
    case.expect("no cases: the build fails, and says so", done.status != 0 and "queue_test has no cases" in " ".join(done.out.split()), done)
    names.write_text("\nOnly.Other\n")
    run(case, "cmake", "--build", case.path / "nothing" / "b")
    found, done = tests_of(case, case.path / "nothing" / "b")
    case.expect("a case without a name is a test, too", list(found) == ["queue_test.", "queue_test.Only.Other"]
                and "--case=" in found["queue_test."]["command"], done)
    done = configure(case, "alias", prefix, PROJECT + "add_executable(my::test ALIAS queue_test)\n"
                     "heddle_discover_tests(TARGET my::test)\nheddle_add_check(NAME 0 TARGET my::test)\n", "-G", "Ninja")
    case.expect("an alias stands for its target", done.status == 0, done)
    quiet = "target_compile_options(queue_test PRIVATE -UNDEBUG)\n"
    both = "heddle_add_check(NAME 0 TARGET queue_test)\nheddle_add_check(NAME 1 TARGET queue_test)\n"
    for build_type, before, times in (("RelWithDebInfo", "", 1), ("Debug", "", 0), ("Release", quiet, 0),
                                      ("Debug", "target_compile_definitions(queue_test PRIVATE NDEBUG)\n", 1)):
        done = configure(case, "ndebug", prefix, PROJECT + before + both, "-G", "Ninja", f"-DCMAKE_BUILD_TYPE={build_type}")
        case.expect(f"{build_type} {before}: says that asserts do nothing {times} times", done.status == 0 and
                    done.out.count("assert() does nothing in queue_test") == times, done)
    for call, words in (("heddle_discover_tests(queue_test)", "needs the TARGET"),
                        ("heddle_discover_tests(TARGET b)", "there is no target b"),
                        ("add_library(b STATIC main.c)\nheddle_discover_tests(TARGET b)", "b is no program (STATIC_LIBRARY)"),
                        ("add_library(b SHARED main.c)\nheddle_add_check(NAME a TARGET b)", "b is no program (SHARED_LIBRARY)"),
                        ("heddle_discover_tests(TARGET queue_test PROPERTIES COST)", "COST has no value"),
                        ("heddle_discover_tests(TARGET queue_test nonsense)", "does not know nonsense"),
                        ("heddle_add_check(NAME a TARGET b)", "heddle_add_check(NAME a): there is no target b"),
                        ("heddle_add_check(TARGET queue_test)", "needs NAME"),
                        ("heddle_add_check(NAME a)", "needs the TARGET"),
                        ("heddle_add_check(NAME a TARGET queue_test nonsense)", "does not know nonsense")):
        done = configure(case, "wrong", prefix, PROJECT + call + "\n", "-G", "Ninja")
        case.expect(f"{call} is refused", done.status != 0 and words in " ".join(done.out.split()), done)


SEVERAL_STATUSES = r"""#include <aio.h>
#include <pthread.h>
#include <string.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void* Add(void* bug) {
  if (bug) ++count;
  pthread_mutex_lock(&mutex);
  ++count;
  pthread_mutex_unlock(&mutex);
  return NULL;
}
int main(int argc, char** argv) {
  struct aiocb block = {0};
  if (argc > 1 && strcmp(argv[1], "escape") == 0) aio_read(&block);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, Add, argc > 1 && strcmp(argv[1], "bug;y [or]") == 0 ? argv : NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
"""


def check_statuses(case, prefix):
    """Each status but 0 is a failed test, and its output says why."""
    text = PROJECT.replace("3.18", "3.19") + """
find_package(Threads REQUIRED)
target_link_libraries(queue_test heddle::heddle Threads::Threads)
add_executable(plain main.c)
target_link_libraries(plain Threads::Threads)
heddle_add_check(NAME "good one" TARGET queue_test TIMEOUT 50 COST 3)
heddle_add_check(NAME good/one TARGET queue_test)
heddle_add_check(NAME bug TARGET queue_test OPTIONS --bound preemptions=1 ARGS "bug;y [or]")
heddle_add_check(NAME set-up TARGET plain)
heddle_add_check(NAME escapes TARGET queue_test ARGS escape)
heddle_add_check(NAME unfinished TARGET queue_test OPTIONS --executions 1 --require-complete)
"""
    tree = case.path / "statuses" / "b"
    done = configure(case, "statuses", prefix, text, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=RelWithDebInfo", source=SEVERAL_STATUSES)
    done = run(case, "cmake", "--build", tree)
    case.expect("the project with checks is built", done.status == 0, done)
    found, done = tests_of(case, tree)
    good = properties_of(found["good one"])
    case.expect("label, TIMEOUT and COST", good.get("LABELS") == ["heddle"] and good.get("TIMEOUT") == 50 and good.get("COST") == 3, done)
    out = {name: [part for part in test["command"] if part.startswith("--out=")][0] for name, test in found.items()}
    case.expect("one --out for each", len(set(out.values())) == len(found) == 6, done)
    done = run(case, "ctest", "--test-dir", tree, "--output-on-failure", "-L", "heddle")
    case.expect("two pass, four fail", "4 tests failed out of 6" in done.out, done)
    case.expect("a bug: the whole report", "data race" in done.out and "replay: heddle replay" in done.out, done)
    case.expect("a program that was not built with heddle-cc: what to do", "heddle-cc" in done.out, done)
    case.expect("out of control: by what", "aio_read" in done.out, done)
    case.expect("not complete: by what it was stopped", "no bug found; not a proof: stopped by the limit on executions" in done.out and "limit on executions" in done.out, done)
    case.expect("no colours and no progress line", "\x1b" not in done.out and "\r" not in done.out, done)
    schedules = list((tree / "heddle-out" / "bug").glob("*.heddle"))
    case.expect("the schedule is in the directory of its check", schedules, done)
    results = {path.name for path in (tree / "heddle-results").glob("*.json")}
    case.expect("so are the results of what ran", "bug.json" in results and len(results) == 5, Done(sorted(results), 0, done.out, ""))
    done = run(case, prefix / "bin" / "heddle", "report", "--junit", *sorted((tree / "heddle-results").glob("*.json")))
    case.expect("which heddle report reads", done.status == 0 and "<failure" in done.out, done)


GTEST = r"""#include <gtest/gtest.h>
#include <thread>
TEST(Queue, IsRight) { EXPECT_EQ(1 + 1, 2); }
TEST(Queue, Races) {
  int x = 0;
  std::thread thread([&] { ++x; });
  ++x;
  thread.join();
}
"""


def check_googletest(case, prefix):
    text = PROJECT.replace("(consumer C)", "(consumer CXX)").replace("main.c", "main.cpp") + """
find_package(GTest REQUIRED)
target_link_libraries(queue_test heddle::heddle GTest::gtest GTest::gtest_main)
heddle_discover_tests(TARGET queue_test)
"""
    (case.path / "googletest").mkdir()
    (case.path / "googletest" / "main.cpp").write_text(GTEST)
    done = configure(case, "googletest", prefix, text, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=RelWithDebInfo", source="")
    tree = case.path / "googletest" / "b"
    done = run(case, "cmake", "--build", tree)
    case.expect("GoogleTest: built", done.status == 0, done)
    found, done = tests_of(case, tree)
    case.expect("GoogleTest: two cases", sorted(found) == ["queue_test.Queue.IsRight", "queue_test.Queue.Races"], done)
    done = run(case, "ctest", "--test-dir", tree, "--output-on-failure")
    case.expect("GoogleTest: one has a bug", "1 tests failed out of 2" in done.out and "data race" in done.out, done)


def main():
    case = Case(sys.argv[1])
    os.environ.pop("CTEST_OUTPUT_ON_FAILURE", None)
    real = install(case, "real")
    fake = case.path / "with fake"
    shutil.copytree(real, fake, symlinks=True)
    (fake / "bin" / "heddle").write_text(FAKE)
    check_discovery(case, fake, "Ninja", "")
    check_discovery(case, fake, "Unix Makefiles", "")
    check_discovery(case, fake, "Ninja Multi-Config", "Release")
    check_nothing_to_list(case, fake)
    check_statuses(case, real)
    if "--list-cases" in case.heddle("check", "--help").out:
        check_googletest(case, real)
    else:
        print("        this heddle cannot list cases: no GoogleTest program is explored")
    case.finish()


if __name__ == "__main__":
    main()
