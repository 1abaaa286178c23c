"""--each, --list-cases and --case with real test programs: the cases of each framework, what is found in them, replay."""

import concurrent.futures
import html
import os
import pathlib
import signal
import subprocess
import sys
import xml.etree.ElementTree

from heddle_run import CATCH2_MAIN, Case, DOCTEST_MAIN, let_work, read_json

GOOGLETEST = pathlib.Path("/usr/src/googletest/googletest")
CATCH2 = pathlib.Path("/usr/include/catch2/catch.hpp")
DOCTEST = pathlib.Path("/usr/include/doctest/doctest.h")
if not (GOOGLETEST.is_dir() and CATCH2.exists() and DOCTEST.exists()):
    print("googletest, catch2 or doctest-dev is not installed")
    sys.exit(77)

# The frameworks are compiled by heddle-c++ too, so that their accesses are seen.
BODY = """
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>
static int plain;
static int ReadWhileWritten() {
  std::atomic<int> x{0};
  std::thread other([&] { x = 1; });
  const int seen = x;
  other.join();
  return seen;
}
CASE(Race) {
  std::thread other([] { plain = 1; });  // first access
  plain = 2;                             // second access
  other.join();
}
CASE(InMain) {
  const int seen = ReadWhileWritten();
  SAME(seen, 0);  // fails in main
}
CASE(InThread) {
  std::atomic<int> x{0};
  std::thread other([&] {
    const int seen = x;
    SAME(seen, 0);  // fails in a thread
  });
  x = 1;
  other.join();
}
CASE(Deadlock) {
  std::mutex a, b;
  std::thread other([&] {
    std::lock_guard<std::mutex> first(a);
    std::lock_guard<std::mutex> second(b);
  });
  {
    std::lock_guard<std::mutex> first(b);
    std::lock_guard<std::mutex> second(a);
  }
  other.join();
}
CASE(Correct) { SAME(ReadWhileWritten() / 2, 0); }
CASE(Alone) { SAME(plain, 0); }
"""
PROGRAMS = {
    "GoogleTest": """
#include <gtest/gtest.h>
#define CASE(name) TEST(Queue, name)
#define SAME EXPECT_EQ
%s
class Sizes : public testing::TestWithParam<int> {};
TEST_P(Sizes, Fits) { EXPECT_NE(GetParam(), 3) << "of sizes"; }
INSTANTIATE_TEST_SUITE_P(All, Sizes, testing::Values(3, 4));
TEST(Queue, Throws) {
  struct Local { ~Local() {} } local;
  throw std::runtime_error("no reason");
}
TEST(Queue, DISABLED_Never) { FAIL(); }
""",
    "Catch2 v2": """
#include <catch2/catch.hpp>
#define CASE(name) TEST_CASE("queue, " #name " [x] \\"q\\" \\\\", "[tag]")
#define SAME(a, b) CHECK(a == b)
%s
TEST_CASE("~#* \\u00f6") { REQUIRE(1 == 2); }
TEST_CASE("never", "[.]") { REQUIRE(1 == 2); }
""",
    "doctest": """
#include <doctest/doctest.h>
#define CASE(name) TEST_CASE("queue, " #name " *")
#define SAME(a, b) CHECK(a == b)
%s
TEST_CASE("same") {}
TEST_CASE("same") { REQUIRE(1 == 2); }
TEST_CASE("never" * doctest::skip()) { REQUIRE(1 == 2); }
""",
}
MAIN = {
    "GoogleTest": '#include "src/gtest-all.cc"\n#include "src/gtest_main.cc"\n',
    "Catch2 v2": CATCH2_MAIN,
    "doctest": DOCTEST_MAIN,
}
NAMES = {
    "GoogleTest": "Queue.%s",
    "Catch2 v2": 'queue, %s [x] "q" \\',
    "doctest": "queue, %s *",
}
# Beside the cases of BODY: the kinds of bugs in them.
OTHERS = {
    "GoogleTest": {"All/Sizes.Fits/0": ["assertion"], "All/Sizes.Fits/1": [], "Queue.Throws": ["assertion"]},
    "Catch2 v2": {"~#* ö": ["assertion"]},
    "doctest": {"same": [], "same (2)": ["assertion"]},
}
KINDS = {"Race": ["data-race"], "InMain": ["assertion"], "InThread": ["assertion"], "Deadlock": ["deadlock"],
         "Correct": [], "Alone": []}
EXECUTIONS = {"Correct": 2, "Alone": 1}
TEXTS = {
    "GoogleTest": "Expected equality of these values: seen; Which is: 1; 0",
    "Catch2 v2": "CHECK( seen == 0 ); with expansion: 1 == 0",
    "doctest": "CHECK( seen == 0 ) is NOT correct!; values: CHECK( 1 == 0 )",
}
FOREIGN = ("testing::", "Catch::", "doctest::")

case = Case(sys.argv[1])


def build(name, text, *flags):
    source = case.path / (name + ".cpp")
    source.write_text(text)
    subprocess.run([case.build / "heddle-c++", "-g", "-O0", "-pthread", f"-I{GOOGLETEST}", "-o", case.path / name, source,
                    *flags], check=True, timeout=800)
    return case.path / name


def line_of(program, comment):
    lines = (case.path / (program.name + ".cpp")).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if comment in line)


def check_framework(framework, program):
    named = {NAMES[framework] % name: kinds for name, kinds in KINDS.items()} | OTHERS[framework]
    done = case.heddle("check", "--list-cases", program)
    case.expect(f"{framework}: the cases are listed, without those that are left out",
                done.status == 0 and sorted(done.out.splitlines()) == sorted(named), done)

    out = f"{program.name}-out"
    done = case.heddle("check", "--each", "--out", out, "--json", "cases.json", program, seconds=300)
    answer = read_json(case.path / "cases.json")
    results = {one["name"]: one["result"] for one in answer["cases"]}
    case.expect(f"{framework}: each has its bugs",
                done.status == 1 and answer["framework"] == framework
                and {name: [bug["kind"] for bug in result["bugs"]] for name, result in results.items()} == named, done)
    case.expect(f"{framework}: the others are complete", all(
        result["complete"] and result["verdict"] == "clean" for name, result in results.items() if not named[name]), done)
    for name, number in EXECUTIONS.items():
        case.expect(f"{framework}: {name} has {number} executions",
                    results[NAMES[framework] % name]["executions"] == number, done)
    for name, comment in (("InMain", "fails in main"), ("InThread", "fails in a thread")):
        bug = results[NAMES[framework] % name]["bugs"][0]
        places = [(place["file"], place["line"]) for place in bug["locations"]]
        case.expect(f"{framework}: {name} fails where it says, with the framework's text",
                    places == [(str(case.path / (program.name + ".cpp")), line_of(program, comment))]
                    and bug["message"] == TEXTS[framework] and bug["output"].count(":") > 1
                    and bug["thread"] == ("main" if name == "InMain" else "T1"), done)
        case.expect(f"{framework}: no step is the framework's", not any(
            step["location"]["function"].startswith(FOREIGN) or step["location"]["file"].startswith(str(GOOGLETEST))
            for step in bug["steps"] if "ending" not in step["marks"]), done)
    case.expect(f"{framework}: the totals", answer["totals"]["cases"] == len(named)
                and answer["totals"]["bug"] == sum(map(bool, named.values()))
                and f"{len(named)} cases of {program.name} ({framework})" in done.out, done)

    schedules = [bug["schedule"] for result in results.values() for bug in result["bugs"]]
    case.expect(f"{framework}: a schedule for each bug", len(set(schedules)) == sum(map(len, named.values())), done)
    for schedule in schedules:
        again = case.heddle("replay", schedule)
        case.expect(f"{framework}: {schedule} replays", again.status == 1 and "shows again" in again.out, again)

    for report in ("html", "sarif", "text"):
        shown = case.heddle("report", "--format", report, "cases.json")
        case.expect(f"{framework}: as {report}", shown.status == 0 and "InThread" in shown.out, shown)
    junit = case.heddle("report", "--junit", "cases.json")
    tests = {test.get("name"): [child.tag for child in test if child.tag == "failure"]
             for test in xml.etree.ElementTree.fromstring(junit.out).iter("testcase")}
    case.expect(f"{framework}: a testcase for each", {name: bool(tags) for name, tags in tests.items()}
                == {name: bool(kinds) for name, kinds in named.items()}, junit)
    same = case.heddle("report", "--format", "json", "cases.json")
    case.expect(f"{framework}: as JSON again", same.out == (case.path / "cases.json").read_text(), same)

    name = NAMES[framework] % "InThread"
    done = case.heddle("check", "--case", name, "--out", out, "--json", "one.json", program)
    one = read_json(case.path / "one.json")
    case.expect(f"{framework}: one case by its name", done.status == 1 and one["args"] == results[name]["args"]
                and [bug["identity"] for bug in one["bugs"]] == [bug["identity"] for bug in results[name]["bugs"]]
                and "  | " in done.out, done)
    junit = case.heddle("report", "--junit", "one.json")
    tests = [test.get("name") for test in xml.etree.ElementTree.fromstring(junit.out).iter("testcase")]
    page = case.heddle("report", "--html", "one.json")
    case.expect(f"{framework}: which JUnit and the page call it by", tests == [name] and one["case"] == name
                and f"<h2><code>{html.escape(name)}</code>" in page.out, page)
    done = case.heddle("check", "--case", "nobody", program)
    case.expect(f"{framework}: no such case", done.status == 2 and len(done.lines()) == 1 and "nobody" in done.err, done)


def check_exception(program):
    done = case.heddle("check", "--case", "Queue.Throws", "--out", "more-out", program)
    table = [line.strip() for line in done.out.splitlines() if line.startswith("   ")]
    case.expect("an exception that GoogleTest catches: what it says, and no step of the unwinder",
                done.status == 1 and "no reason" in done.out and "once" not in done.out
                and any(line.startswith("fails the assertion") and line.endswith("<- here") for line in table), done)


def check_empty_name():
    text = ('#include <doctest/doctest.h>\n'
            'TEST_CASE("first") { CHECK(1 == 2); }\nTEST_CASE("") { CHECK(3 == 4); }\nTEST_CASE("last") {}\n')
    program = build("empty", text, objects["doctest"])
    done = case.heddle("check", "--list-cases", program)
    case.expect("doctest: a case without a name is listed", done.out == "first\n\nlast\n", done)
    done = case.heddle("check", "--case=", "--out", "more-out", "--json", "empty.json", program)
    bugs = read_json(case.path / "empty.json")["bugs"]
    case.expect("and run alone by it", done.status == 1 and ["3 == 4" in bug["message"] for bug in bugs] == [True], done)
    done = case.heddle("check", "--case=", programs["GoogleTest"])
    case.expect("where there is none, that is said", done.status == 2 and "no test case with an empty name" in done.err, done)
    text = text.replace('"last"', '"two\\nlines"')
    done = case.heddle("check", "--list-cases", build("lines", text, objects["doctest"]))
    case.expect("a name with a line break is told", done.status == 2 and len(done.lines()) == 1 and "line break" in done.err, done)


def check_page(program):
    case.heddle("check", "--each", "--out", "more-out", "--json", "page.json", program, "--gtest_filter=Queue.*")
    done = case.heddle("report", "--html", "page.json")
    case.expect("the page is one of test cases, and has what the framework printed",
                "of 7 test cases have bugs</title>" in done.out.replace(" - heddle", "") and "<th>Test case</th>" in done.out
                and '<pre class="output"' in done.out and "Expected equality of these values:\n  seen\n" in done.out, done)


def check_options(program):
    done = case.heddle("check", "--each", "--quiet", program, "--gtest_filter=Queue.A*:Queue.C*")
    case.expect("the user's arguments choose cases, and nothing is left behind",
                done.status == 0 and not done.lines() and not (case.path / "heddle-out").exists(), done)
    done = case.heddle("check", "--each", "--require-complete", "--executions", "1", program, "--gtest_filter=*.Correct")
    case.expect("limits hold for each case", done.status == 4 and "not complete" in done.out, done)
    for two in (["--each", "--list-cases"], ["--each", "--case", "x"]):
        done = case.heddle("check", *two, program)
        case.expect(f"not both {two}", done.status == 2 and len(done.lines()) == 1, done)


def check_interrupt():
    text = ('#include <doctest/doctest.h>\n#include <atomic>\n#include <thread>\n'
            'TEST_CASE("first") {}\nTEST_CASE("long") { std::atomic<int> n{0}; auto add = [&] { for (int i = 0; i < 9; ++i) ++n; };'
            ' std::thread a(add), b(add), c(add); a.join(); b.join(); c.join(); }\n'
            'TEST_CASE("never begun") {}\n')
    program = build("long", text, objects["doctest"])
    process = subprocess.Popen([case.build / "heddle", "check", "--each", "--json", "stopped.json", program], cwd=case.path,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    first = process.stdout.readline()
    let_work(process, 0.5)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=120)
    answer = read_json(case.path / "stopped.json")
    good = ("first" in first and process.returncode == 0 and answer["not_begun"] == ["never begun"]
            and [one["result"]["stop"] for one in answer["cases"]] == ["exhausted", "interrupted"] and "not begun" in out)
    print("ok     Ctrl-C ends the case that runs" if good else f"FAILED Ctrl-C\n{process.returncode}\n{first}{out}{err}")
    case.failures += 0 if good else 1


# A program that has a framework's mark, and lists nothing that could be believed.
HOSTILE = """
#include <cstdio>
#include <cstdlib>
#include <csignal>
#include <cstring>
#include <unistd.h>
volatile const char *mark = "--gtest_break_on_failure";
int main(int argc, char **argv) {
  const char *way = argc > 1 ? argv[1] : "";
  if (!strcmp(way, "hang")) for (;;) pause();
  if (!strcmp(way, "crash")) raise(SIGSEGV);
  if (!strcmp(way, "endless")) for (;;) puts("A.");
  if (!strcmp(way, "none")) puts("Starting.");
  if (!strcmp(way, "garbage")) puts("Loading.\\n  all plug ins\\n\\x1b[31m\\nQueue.\\n  Push");
  return 0;
}
"""


def check_hostile():
    for way, why in (("hang", "does not end within 20 s"), ("crash", "killed by SIGSEGV"), ("endless", "prints without end"),
                     ("none", "it has none")):
        done = hanging.result() if way == "hang" else case.heddle("check", "--list-cases", hostile, way)
        case.expect(f"a list that cannot be had: {way}",
                    done.status == 2 and len(done.lines()) == 1 and why in done.err and not done.leftover, done)
    done = case.heddle("check", "--list-cases", hostile, "garbage")
    case.expect("what is printed before the list", done.status == 0 and done.out == "Queue.Push\n", done)
    plain = case.compile("plain", "int main() { return 0; }\n")
    done = case.heddle("check", "--each", plain)
    case.expect("no test program", done.status == 2 and len(done.lines()) == 1 and "no test program" in done.err, done)


hostile = build("hostile", HOSTILE)
# For 20 s it does nothing.
hanging = concurrent.futures.ThreadPoolExecutor().submit(case.heddle, "check", "--list-cases", hostile, "hang")
objects = {framework: case.framework(text, *([f"-I{GOOGLETEST}"] if framework == "GoogleTest" else []))
           for framework, text in MAIN.items()}
programs = {framework: build(framework.split()[0].lower(), text % BODY, objects[framework]) for framework, text in PROGRAMS.items()}
for framework, program in programs.items():
    check_framework(framework, program)
check_exception(programs["GoogleTest"])
check_page(programs["GoogleTest"])
check_empty_name()
check_options(programs["GoogleTest"])
check_interrupt()
check_hostile()
case.finish()
