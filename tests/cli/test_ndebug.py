"""A build with NDEBUG has no asserts: `heddle check` warns of it, in its first line and in the JSON, and heddle-cc
--heddle-keep-asserts keeps them. With `all` behind the build directory, however NDEBUG is written, with each compiler."""

import subprocess
import sys

from heddle_run import SECONDS, Case, Done, read_json, some

LOST_UPDATE = """
#include <cassert>
#include <mutex>
#include <thread>
std::mutex m;
int n;
void Add() {
  int seen;
  {
    std::lock_guard guard(m);
    seen = n;
  }
  std::lock_guard guard(m);
  n = seen + 1;
}
int main() {
  std::thread a(Add), b(Add);
  a.join(), b.join();
  assert(n == 2);
}
"""
NONE = "#include <cassert>\n// assert(n == 2) is what a test framework says by EXPECT_EQ\n" + LOST_UPDATE.replace(
    "assert(n == 2);", "if (n > 2) return 1;")

case = Case(sys.argv[1])


def check(*arguments):
    done = case.heddle("check", "--json", "result.json", *arguments)
    return done, read_json(case.path / "result.json")


def warns(done, json, file):
    text = f"assert() does nothing in {file}, built with NDEBUG into "
    first = (done.err + done.out).splitlines()[0]
    return (first.startswith(f"heddle: warning: {text}") and (done.err + done.out).count("assert() does nothing") == 1
            and [w for w in json["warnings"] if w.startswith(text)])


for turn, compiler in enumerate(("gcc", "clang")):
    options = ("-std=c++20", f"--heddle-compiler={compiler}")
    program = case.compile("ndebug", LOST_UPDATE, *options, "-DNDEBUG", compiler="heddle-c++")
    done, json = check(program)
    case.expect(f"{compiler}: a clean search warns", done.status == 0 and json["complete"] and warns(done, json, "ndebug.cpp"), done)
    done = case.heddle("report", "result.json")
    case.expect(f"{compiler}: so does its report", "\n  warning: assert() does nothing in ndebug.cpp" in done.out, done)
    done, json = check("--quiet", "--jobs", "2", program)
    case.expect(f"{compiler}: and with several jobs", done.status == 0 and warns(done, json, "ndebug.cpp"), done)

    done, json = check(case.compile("asserts", LOST_UPDATE, *options, compiler="heddle-c++"))
    case.expect(f"{compiler}: no word without NDEBUG", done.status == 1 and done.err == "" and json["warnings"] == [], done)
    done, json = check(case.compile("none", NONE, *options, "-DNDEBUG", compiler="heddle-c++"))
    case.expect(f"{compiler}: nor of a unit that only includes <cassert>", done.status == 0 and done.err == ""
                and json["warnings"] == [], done)

    for define in some((["-DNDEBUG"], ["-D", "NDEBUG"], ["-DNDEBUG=1"], ["-Wp,-DNDEBUG"], ["-O2", "-g", "-DNDEBUG"]), 3, turn):
        kept = case.compile("kept", LOST_UPDATE, *options, "--heddle-keep-asserts", *define, compiler="heddle-c++")
        done, json = check(kept)
        case.expect(f"{compiler}: kept asserts with {' '.join(define)}", done.status == 1 and done.err == ""
                    and [bug["kind"] for bug in json["bugs"]] == ["assertion"] and json["warnings"] == [], done)
    (case.path / "part.cpp").write_text(LOST_UPDATE)
    command = [str(case.build / "heddle-c++"), *options, "--heddle-keep-asserts", "-DNDEBUG", "-c", "part.cpp"]
    subprocess.run(command, check=True, cwd=case.path, timeout=SECONDS)
    named = subprocess.run(["nm", "part.o"], check=True, cwd=case.path, capture_output=True, text=True).stdout
    case.expect(f"{compiler}: kept asserts with -c", "__assert_fail" in named, Done(command, 0, named, ""))

# A bug is told after the warning; heddle::Check, which runs many searches, does not repeat it on stderr.
racing = LOST_UPDATE.replace("std::lock_guard guard(m);\n  n =", "n =")
done, json = check(case.compile("racing", racing, "-std=c++20", "-DNDEBUG", compiler="heddle-c++"))
case.expect("before a bug, too", done.status == 1 and warns(done, json, "racing.cpp"), done)

# CMake's build types: the flag of a user stands before theirs.
project = case.path / "project"
project.mkdir()
(project / "main.cpp").write_text(LOST_UPDATE)
(project / "CMakeLists.txt").write_text("""cmake_minimum_required(VERSION 3.16)
project(p CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(Threads REQUIRED)
add_executable(prog main.cpp)
target_link_libraries(prog Threads::Threads)
""")
for flags, status in ("", 0), ("--heddle-keep-asserts", 1):
    build = project / ("kept" if flags else "plain")
    for command in (["cmake", "-S", project, "-B", build, f"-DCMAKE_CXX_COMPILER={case.build / 'heddle-c++'}",
                     f"-DCMAKE_CXX_FLAGS={flags}", "-DCMAKE_BUILD_TYPE=RelWithDebInfo"], ["cmake", "--build", build]):
        subprocess.run(command, check=True, capture_output=True, timeout=SECONDS)
    done, json = check(build / "prog")
    case.expect(f"RelWithDebInfo with CMAKE_CXX_FLAGS='{flags}'", done.status == status
                and bool(warns(done, json, "main.cpp")) != bool(flags), done)

# An archive of preprocessed or quoted names, and an inclusion within a function, compile as ever.
(case.path / 'odd "name\\.c').write_text("#define NDEBUG\n#include <assert.h>\nint main(void) {\n#undef NDEBUG\n#include <assert.h>\n"
                                         "  assert(1);\n  return 0;\n}\n")
for compiler in "gcc", "clang":
    command = [str(case.build / "heddle-cc"), f"--heddle-compiler={compiler}", "-std=c90", "-pedantic", "-Wall", "-Werror",
               'odd "name\\.c', "-o", "odd"]
    made = subprocess.run(command, cwd=case.path, capture_output=True, text=True, timeout=SECONDS, check=False)
    case.expect(f"{compiler}: odd names compile", made.returncode == 0, Done(command, made.returncode, made.stdout, made.stderr))
done, json = check(case.path / "odd")
case.expect("and are named", 'odd "name\\.c' in "".join(json["warnings"]), done)
case.finish()
