"""heddle::Check (heddle.hpp): a test asks for the exploration of a part of itself."""

import pathlib
import subprocess
import sys

from heddle_run import CATCH2_MAIN, Case, DOCTEST_MAIN, Done, SECONDS

# Its modes say in their outputs what was answered.
PROGRAM = """
#include <heddle.hpp>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <iostream>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

static const char* const kNames[] = {"clean", "bug", "incomplete", "uncontrolled", "not-explored", "error", "part"};

static void Tell(const heddle::Report& report) {
  std::cout << kNames[static_cast<int>(report.verdict)] << ' ' << report.executions
            << (report.complete ? " complete" : "");
  for (const heddle::Bug& bug : report.bugs) std::cout << "\\n bug " << bug.kind << ": " << bug.message
                                                       << "\\n at " << bug.file << ':' << bug.line
                                                       << "\\n in " << bug.schedule;
  if (report.bugs.empty()) std::cout << '\\n' << report;
  std::cout << std::endl;
}

template <typename Body>
static void Both(Body body) {
  std::thread a(body), b(body);
  a.join();
  b.join();
}

static int global = 5;

int main(int argc, char** argv) {
  const std::string mode = argv[1];
  int counter = 0;
  std::mutex mutex;
  std::vector<int> list = {1, 2, 3};
  auto locked = [&] {
    Both([&] {
      std::lock_guard<std::mutex> hold(mutex);
      ++counter;
      ++global;
      list.push_back(counter);
    });
    if (counter != 2 || global != 7 || list.size() != 5) abort();
  };
  auto racy = [&] { Both([&] { ++counter; }); };                       // @race
  if (mode == "three") {
    Tell(heddle::Check(locked));
    Tell(heddle::Check(racy));
    Tell(heddle::Check(locked, {"--reduction", "none"}));
    std::cout << counter << ' ' << global << ' ' << list.size() << std::endl;
  }
  if (mode == "wrong option") Tell(heddle::Check(locked, {"--nonsense"}));
  if (mode == "bound") Tell(heddle::Check(locked, {"--executions=1"}));
  if (mode == "leaks") Tell(heddle::Check(locked, {"--leaks"}));
  if (mode == "fork") Tell(heddle::Check(locked, {"--rewind=fork"}));
  if (mode == "deadlock") {
    std::mutex other;
    Tell(heddle::Check([&] {
      std::thread a([&] { std::lock_guard<std::mutex> x(mutex), y(other); });
      std::thread b([&] { std::lock_guard<std::mutex> x(other), y(mutex); });
      a.join();
      b.join();
    }));
  }
  if (mode == "throws") Tell(heddle::Check([&] { throw std::runtime_error("thrown"); }));
  if (mode == "crashes") Tell(heddle::Check([&] { Both([&] { *static_cast<volatile int*>(nullptr) = 1; }); }));
  if (mode == "killed") {
    std::atomic<int> turn{0};
    Tell(heddle::Check([&] {
      std::thread a([&] { turn = 1; });
      std::thread b([&] { if (turn == 1) raise(SIGKILL); });
      a.join();
      b.join();
    }));
  }
  if (mode == "exits") Tell(heddle::Check([&] { exit(3); }));
  if (mode == "exits well") Tell(heddle::Check([&] { exit(0); }));
  if (mode == "exits at once") Tell(heddle::Check([&] { _exit(0); }));
  if (mode == "exits quickly") Tell(heddle::Check([&] { quick_exit(0); }));
  if (mode == "leaves its thread") Tell(heddle::Check([&] { pthread_exit(nullptr); }));
  if (mode == "exits sometimes") {
    std::atomic<int> x{0};
    Tell(heddle::Check([&] {
      std::thread a([&] { x = 1; });
      if (x == 1) exit(0);  // @early: in one of two orders
      a.join();
    }));
  }
  if (mode == "jumps out") {
    static jmp_buf before;
    if (setjmp(before) == 0) Tell(heddle::Check([&] { longjmp(before, 1); }));
  }
  if (mode == "jumps out, exits well in a thread") Tell(heddle::Check([&] { std::thread([] { exit(0); }).join(); }));
  if (mode == "returns") {
    std::atomic<int> steps{0};
    Tell(heddle::Check([&] { std::thread([&] { ++steps; ++steps; }).detach(); }, {"--reduction", "optimal"}));
  }
  if (mode == "nested") Tell(heddle::Check([&] { Tell(heddle::Check(locked)); }));
  if (mode == "expects") {
    const heddle::Report report = heddle::Check(locked);
    if (!report.Clean() || report.FoundBug()) abort();
    Tell(report);
  }
  if (mode == "threads before") {
    Both([&] { std::lock_guard<std::mutex> hold(mutex); ++counter; });
    Tell(heddle::Check([&] { Both([&] { std::lock_guard<std::mutex> hold(mutex); ++counter; }); }));
  }
  if (mode == "thread beside") {
    std::atomic<bool> stop{false};
    std::thread beside([&] { while (!stop) usleep(1000); });
    Tell(heddle::Check(locked));
    stop = true;
    beside.join();
  }
  if (mode == "not main") std::thread([&] { Tell(heddle::Check(locked)); }).join();
  if (mode == "chance") {
    FILE* file = fopen("seen", "r");
    if (file == nullptr) {
      fclose(fopen("seen", "w"));
      Tell(heddle::Check(locked));
    } else {
      Tell(heddle::Check(racy));
    }
  }
  if (mode == "gone") {
    FILE* file = fopen("gone", "r");
    if (file != nullptr) return 0;
    fclose(fopen("gone", "w"));
    Tell(heddle::Check(locked));
  }
  if (mode == "child") {  // of the process, which ends before
    if (fork() == 0) exit(0);
    const pid_t child = fork();
    if (child == 0) exit(heddle::Check(locked).verdict == heddle::Verdict::kError ? 7 : 0);
    int status;
    waitpid(child, &status, 0);
    if (WEXITSTATUS(status) == 7) Tell(heddle::Check(locked));
  }
  if (mode == "in the way") {
    struct sigaction ignore = {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGCHLD, &ignore, nullptr);
    close(0);
    Tell(heddle::Check(locked));
  }
  if (mode == "changes folder") {
    if (chdir("/") != 0) return 1;
    Tell(heddle::Check(locked));
  }
  if (mode == "holds") {
    std::lock_guard<std::mutex> hold(mutex);
    Tell(heddle::Check(locked));
  }
  if (mode == "lends") {
    mutex.lock();
    Tell(heddle::Check([&] {
      mutex.unlock();
      Both([&] { std::lock_guard<std::mutex> hold(mutex); ++counter; });
      mutex.lock();
    }));
    mutex.unlock();
  }
  if (mode == "deep") {
    volatile char room[300000];
    room[0] = 1;
    Tell(heddle::Check([&] { Both([&] { std::lock_guard<std::mutex> hold(mutex); ++room[0]; }); if (room[0] != 3) abort(); }));
    std::cout << static_cast<int>(room[0]) << std::endl;
  }
}
"""

BODIES = """
#include <heddle.hpp>
#include <iostream>
struct Object { void operator()() const {} };
static void Function() {}
int main() {
  const Object object;
  std::cout << heddle::Check(object) << heddle::Check(Object()) << heddle::Check(Function) << heddle::Check(&Function);
}
"""
GOOGLETEST = """
#include <gtest/gtest.h>
#include <heddle.hpp>
#include <atomic>
#include <mutex>
#include <thread>

TEST(Before, Fails) { EXPECT_TRUE(heddle::Check([] { abort(); }).Clean()); }

class Counts : public testing::TestWithParam<int> {};
TEST_P(Counts, Twice) {
  int counter = 0;
  std::mutex mutex;
  const heddle::Report report = heddle::Check([&] {
    auto add = [&] { std::lock_guard<std::mutex> hold(mutex); counter += GetParam(); };
    std::thread a(add), b(add);
    a.join();
    b.join();
    if (counter != 2 * GetParam()) abort();
  });
  EXPECT_TRUE(report.Clean()) << report;
  EXPECT_TRUE(report.complete) << report;
  EXPECT_EQ(report.executions, 2u);
}
TEST(Expectation, InABody) {
  EXPECT_EQ(1, 2) << "before the call: the test's own";
  std::atomic<int> x{0};
  const heddle::Report report = heddle::Check([&] {
    std::thread a([&] { x = 1; });
    std::thread b([&] { EXPECT_EQ(x, 0) << "so it is"; });  // @expect
    a.join();
    b.join();
  });
  ASSERT_EQ(report.bugs.size(), 1u);
  std::cout << report;
}
INSTANTIATE_TEST_SUITE_P(All, Counts, testing::Values(1, 10));
template <typename T>
class Named : public testing::Test {};
struct Names {
  template <typename T>
  static std::string GetName(int) { return "a:b -*c"; }
};
using JustInt = testing::Types<int>;
TYPED_TEST_SUITE(Named, JustInt, Names);
TYPED_TEST(Named, WhatAFilterWouldSplit) { EXPECT_TRUE(heddle::Check([] {}).Clean()); }
"""
DOCTEST = """
#include <doctest/doctest.h>
#include <heddle.hpp>
#include <thread>
TEST_CASE("before") { CHECK(heddle::Check([] { abort(); }).Clean()); }
TEST_CASE("a, b [and] *c*") {
  int counter = 0;
  SUBCASE("first") { counter = 1; }
  SUBCASE("second") { counter = 2; }
  const heddle::Report report = heddle::Check([&] {
    std::thread a([&] { ++counter; });
    a.join();
    if (counter < 2) abort();
  });
  CHECK(report.Clean());
  CHECK(report.executions == 1);
}
TEST_CASE("") { CHECK(heddle::Check([] {}).Clean()); }
TEST_CASE("in a body") {
  int counter = 0;
  const heddle::Report report = heddle::Check([&] { CHECK(counter == 1); });
  REQUIRE(report.bugs.size() == 1);
  CHECK(report.bugs[0].kind == "assertion");
  CHECK(report.bugs[0].message.find("0 == 1") != std::string::npos);
}
"""
CATCH2 = DOCTEST.replace("<doctest/doctest.h>", "<catch2/catch.hpp>").replace("SUBCASE", "SECTION")

case = Case(sys.argv[1])


def run(program, *arguments):
    done = subprocess.run([program, *arguments], cwd=case.path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=SECONDS)
    return Done([str(program), *map(str, arguments)], done.returncode, done.stdout, done.stderr)


def schedule_of(done):
    return next(line[len(" in "):] for line in done.out.splitlines() if line.startswith(" in "))


program = case.compile("program", PROGRAM, compiler="heddle-c++")
race_line = 1 + PROGRAM[:PROGRAM.index("@race")].count("\n")

done = run(program, "three")
case.expect("three calls: 2 orders of a lock, a race of a local variable, and its value is as before",
            done.out.startswith("clean 2 complete\n") and "\nbug 1\n bug data-race: data race on counter: " in done.out
            and f"program.cpp:{race_line}\n" in done.out and done.out.endswith("\n0 5 3\n"), done)
again = case.heddle("replay", schedule_of(done))
case.expect("the race replays", again.status == 1 and "the recorded bug shows again" in again.out, again)
again = case.heddle("replay", "--kernel-threads", schedule_of(done))
case.expect("also on kernel threads", again.status == 1 and "the recorded bug shows again" in again.out, again)

done = run(program, "wrong option")
case.expect("a wrong option is heddle's one line", done.out.startswith("error 0\nheddle: unknown option --nonsense"), done)
done = run(program, "bound")
case.expect("a search cut short", done.out.startswith("incomplete 1\n"), done)
done = run(program, "leaks")
case.expect("leaks are not looked for in a body, which is no proof", done.out.startswith("incomplete"), done)
done = run(program, "fork")
case.expect("a process for each execution", done.out.startswith("clean 2 complete\n"), done)
done = run(program, "deadlock")
case.expect("a deadlock of mutexes on main's stack", "bug deadlock: " in done.out and "for mutex other" in done.out, done)
again = case.heddle("replay", schedule_of(done))
case.expect("it replays", again.status == 1 and "the recorded bug shows again" in again.out, again)
done = run(program, "throws")
case.expect("what the body throws is a bug", "bug uncaught-exception: " in done.out and "thrown" in done.out, done)
done = run(program, "crashes")
case.expect("so is a crash", "bug crash: " in done.out, done)
done = run(program, "killed")
case.expect("the process is killed in an execution, and another one goes on at the same call",
            "bug crash: " in done.out and "SIGKILL" in done.out, done)
done = run(program, "exits")
case.expect("the body ends the program", "bug exit-status: " in done.out and "3" in done.out, done)
EARLY = "bug exit-status: the program ended, with status 0, before the body of heddle::Check returned"
for mode in ("exits well", "exits at once", "exits quickly", "leaves its thread", "exits sometimes", "jumps out",
             "jumps out, exits well in a thread"):
    done = run(program, mode)
    case.expect(f"a body that does not return is a bug: {mode}", EARLY in done.out and done.status == 0, done)
    again = case.heddle("replay", schedule_of(done)) if EARLY in done.out else done
    case.expect(f"and shows again: {mode}", again.status == 1 and "the recorded bug shows again" in again.out, again)
early_line = 1 + PROGRAM[:PROGRAM.index("@early")].count("\n")
done = run(program, "exits sometimes")
case.expect("it has the place of the call", f"program.cpp:{early_line}\n" in done.out, done)
done = run(program, "returns")
case.expect("the body returns before its thread has ended: an end conflicts with nothing", done.out.startswith(
    "clean 1 complete\n"), done)
done = run(program, "nested")
case.expect("a call within a body is a part of it", done.out.startswith("clean 2 complete\n"), done)
done = run(program, "threads before")
case.expect("threads that have ended before do not matter", done.out.startswith("clean 2 complete\n"), done)
done = run(program, "thread beside")
case.expect("a thread beside is refused", done.out.startswith("error 0\nheddle: other threads run when heddle::Check is "
                                                              "called at "), done)
done = run(program, "not main")
case.expect("a call of another thread is refused", done.out.startswith("error 0\nheddle: "), done)
done = run(program, "chance")
case.expect("a program that goes another way is refused", done.out.startswith(
    "error 0\nheddle: the program does not come to the same heddle::Check when it is run again: call number 1 was at "), done)
done = run(program, "gone")
case.expect("or does not come to the call", done.out.startswith(
    "error 0\nheddle: the program, run again, ended before it came to the heddle::Check at "), done)
done = run(program, "child")
case.expect("a child that ends before the call does not matter, and cannot call itself", done.out.startswith("clean 2 complete\n"), done)
done = run(program, "in the way")
case.expect("SIGCHLD ignored, no standard input", done.out.startswith("clean 2 complete\n"), done)
done = run(program, "changes folder")
case.expect("another working directory", done.out.startswith("clean 2 complete\n"), done)
done = run(program, "holds")
case.expect("a lock that the test holds is held", "bug deadlock: " in done.out and "for mutex" in done.out
            and "held by main" in done.out, done)
done = run(program, "lends")
case.expect("and may be given up in the body", done.out.startswith("clean 2 complete\n"), done)
done = run(program, "deep")
case.expect("a large array on main's stack", done.out == "clean 2 complete\n" + done.out.split("\n", 1)[1]
            and done.out.endswith("\n1\n"), done)

done = case.heddle("check", "--json", "result.json", program, "three")
case.expect("under heddle check the bodies are parts of the program", "data race on counter" in done.out, done)

done = case.heddle("check", program, "expects")
case.expect("and a test that expects them to be clean does not fail there", done.status == 0 and "2 executions" in done.out, done)
done = case.heddle("check", "--show-output", program, "expects")
case.expect("because it is told that they are parts", "part 0\nheddle: this is a part of what is explored\n" in done.out, done)

plain = case.compile("plain", PROGRAM, compiler="g++")
done = run(plain, "three")
case.expect("without libheddle the body runs once, and says so",
            done.status != 0 or done.out.startswith("not-explored 0\n"), done)

for standard in ("c++11", "c++20"):
    bodies = case.compile("bodies", BODIES, f"-std={standard}", "-Wall", "-Wextra", "-pedantic", "-Werror",
                          compiler="heddle-c++")
    done = run(bodies)
    case.expect(f"{standard}: whatever can be called is a body", done.out.count("every schedule explored") == 4, done)

for name, text, main in (("google", GOOGLETEST, None), ("doctest", DOCTEST, DOCTEST_MAIN), ("catch2", CATCH2, CATCH2_MAIN)):
    header = {"google": "gtest/gtest.h", "doctest": "doctest/doctest.h", "catch2": "catch2/catch.hpp"}[name]
    if not pathlib.Path("/usr/include", header).exists():
        print(f"skipped {name}: it is not installed")
        continue
    flags = [case.framework(main)] if main else ["-lgtest_main", "-lgtest"]
    program = case.compile(name, text, *flags, "-O0", compiler="heddle-c++", seconds=300)
    done = run(program)
    if name == "google":
        shards = [run("/usr/bin/env", "GTEST_TOTAL_SHARDS=2", f"GTEST_SHARD_INDEX={i}", program) for i in (0, 1)]
        case.expect("also where they are spread over two processes",
                    sum("[       OK ] All/Counts.Twice/" in line for shard in shards for line in shard.out.splitlines()) == 2,
                    shards[1])
        case.expect("GoogleTest: three of five tests pass", "[  PASSED  ] 3 tests." in done.out
                    and "[  FAILED  ] Before.Fails" in done.out, done)
        line = 1 + text[:text.index("// @expect")].count("\n")
        case.expect("an EXPECT that fails in a body is a bug there, with its own words",
                    f"google.cpp:{line}: Failure" in done.out and "heddle: failed assertion: Expected equality of these values: x; " in done.out
                    and "so it is" in done.out, done)
    else:
        case.expect(f"{name}: each section is explored", "1 failed" in done.out and "8 passed" in done.out, done)
false = case.path / "false.cpp"
false.write_text("#include <heddle.hpp>\nint main() { heddle::Check([] { return false; }); }\n")
compiled = subprocess.run([case.build / "heddle-c++", "-c", "-o", case.path / "false.o", false], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=SECONDS)
done = Done(compiled.args, compiled.returncode, compiled.stdout, "")
case.expect("a body that answers false is not taken for one that fails: it is not compiled",
            done.status != 0 and "does not look at what its body returns" in done.out, done)
case.finish()
