#!/bin/bash
# heddle-cc and heddle-c++ are drop-in compilers: every way in which builds call a compiler, with GCC and Clang.
# With `all` behind the build directory, every level and standard with each compiler; else one compiler has the one half, and the
# other the other.
# Usage: test_heddle_cc.sh BUILD_DIR [all]
set -u
build=$(cd "$1" && pwd) || exit 2
which=${2:-some}
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2
unset HEDDLE_CC HEDDLE_CXX
cc=$build/heddle-cc
cxx=$build/heddle-c++
failures=0

# check WHAT COMMAND...: the command succeeds.
check() {
  local what=$1
  shift
  if ! "$@" >log 2>&1; then
    echo "FAILED: $what: $*"
    sed 's/^/    /' log
    failures=$((failures + 1))
  fi
}
# refuse WHAT TEXT COMMAND...: the command fails with one line that contains TEXT.
refuse() {
  local what=$1 text=$2
  shift 2
  if "$@" >log 2>&1 || ! grep -qF -- "$text" log || [ "$(wc -l <log)" != 1 ]; then
    echo "FAILED: $what: $*"
    sed 's/^/    /' log
    failures=$((failures + 1))
  fi
}
instrumented() { nm "$1" | grep -q ' U __tsan_func_entry'; }
plain() { ! nm "$1" | grep -q ' U __tsan_func_entry'; }
has_debug_info() { readelf -S "$1" | grep -q '\.debug_info'; }
is_ours() { # linked with libheddle, not libtsan
  instrumented "$1" && readelf -d "$1" | grep -q 'NEEDED.*libheddle\.so' &&
    ! readelf -d "$1" | grep -q 'libtsan' && ldd "$1" | grep -q "libheddle.so => $build"
}
calls() { nm "$1" | grep -q " U $2\$"; }
calls_all() { local o=$1 f; shift; for f; do calls "$o" "$f" || { echo "no call of $f"; return 1; }; done; }
no_leftovers() { [ -z "$(ls -A tmp)" ]; }

mkdir tmp sub
export TMPDIR=$dir/tmp
cat >main.c <<'E1'
#include <heddle.h>
#include <pthread.h>
#include <stdio.h>
#include "part.h"
static void *run(void *p) { part((int *)p); return p; }
int main(void) {
  int x = 3;
  pthread_t t;
  if (pthread_create(&t, NULL, run, &x)) return 1;
  pthread_join(t, NULL);
  heddle_outcome("%d", x);
  printf("x=%d\n", x);
  return x == 4 ? 0 : 1;
}
E1
echo 'void part(int *p);' >part.h
echo '#include "part.h"
void part(int *p) { *p = *p + 1; }' >part.c
cat >copies.c <<'E1'
#include <string.h>
struct S { char b[300]; };
void copy(char *a, const char *b) { memcpy(a, b, 64); }
void move(char *a, const char *b) { memmove(a, b, 48); }
void set(char *a) { memset(a, 0, 32); }
E1
cat >plain.cpp <<'E1'
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <string>
#include <thread>
std::atomic<int> hits{0};
int main() {
  std::thread a([] { ++hits; }), b([] { hits.fetch_add(1); });
  a.join();
  b.join();
  std::string s(100, 'x');
  try {
    throw s;
  } catch (const std::string &caught) {
    std::printf("%d %zu\n", hits.load(), caught.size());
  }
  return hits == 2 ? 0 : 1;
}
E1
cat >constexpr.cpp <<'E1'
#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
constexpr auto kCopied = [] {
  std::array<char, 40> a{}, b{};
  a[3] = 7;
  std::copy(a.begin(), a.end(), b.begin());
  return b;
}();
static_assert(kCopied[3] == 7 && std::string_view("abc").find('c') == 2);
int main() { char a[4]; std::memcpy(a, "abc", 4); return a[3]; }
E1
printf '.globl asm_answer\nasm_answer:\n  mov $42, %%eax\n  ret\n.section .note.GNU-stack,"",@progbits\n' >answer.s
printf '#define VALUE 42\n.globl asm_answer\nasm_answer:\n  mov $VALUE, %%eax\n  ret\n.section .note.GNU-stack,"",@progbits\n' >upper.S
echo 'int asm_answer(void); int main(void) { return asm_answer() == 42 ? 0 : 1; }' >use_asm.c

for compiler in gcc clang; do
  export HEDDLE_CC=$compiler HEDDLE_CXX=$compiler
  levels="-O0 -O2" c_standards=c11 cxx_standards="c++11 c++20"
  [ $compiler = gcc ] || levels=-O1 c_standards="c17 gnu17" cxx_standards="c++14 c++17 gnu++20"
  [ "$which" = all ] && levels="-O0 -O1 -O2" c_standards="c11 c17 gnu17" cxx_standards="c++11 c++14 c++17 c++20 gnu++20"
  for level in $levels; do
    check "$compiler $level compile and link in one" "$cc" $level main.c part.c -o prog -pthread
    check "$compiler $level is ours" is_ours prog
    check "$compiler $level has debug information" has_debug_info prog
    check "$compiler $level runs as an ordinary program" ./prog
  done
  for std in $c_standards; do
    check "$compiler $std" "$cc" -Wall -Wextra -Werror -std=$std -c part.c -o part.o
    check "$compiler $std is instrumented" instrumented part.o
  done
  for std in $cxx_standards; do
    case $std in c++14 | c++20) level=-O2 ;; *) level=-O0 ;; esac
    check "$compiler $std $level" "$cxx" -Wall -Wextra -Werror -std=$std $level plain.cpp -o plain -pthread
    check "$compiler $std $level is ours" is_ours plain
    check "$compiler $std $level runs" ./plain
  done
  check "$compiler constexpr" "$cxx" -Werror -Wall -std=c++20 -O2 constexpr.cpp -o constexpr
  for level in -O0 -O2; do
    check "$compiler copies $level" "$cc" $level -c copies.c -o copies.o
    check "$compiler copies $level stay calls" calls_all copies.o memcpy memmove memset
  done

  check "$compiler objects" "$cc" -c main.c part.c
  check "$compiler separate link" "$cc" main.o part.o -o prog -pthread
  check "$compiler separate link is ours" is_ours prog
  check "$compiler separate link runs" ./prog
  ar rcs libpart.a part.o
  check "$compiler source, archive" "$cc" main.c libpart.a -o prog -pthread
  check "$compiler source, archive by -l" "$cc" -o prog main.c -L. -lpart -pthread
  check "$compiler it runs" ./prog
  check "$compiler default output" "$cc" main.c part.c -pthread
  check "$compiler a.out" is_ours a.out
  check "$compiler --as-needed, -Bstatic of the user" "$cc" -Wl,--as-needed main.c part.c -Wl,-Bstatic -Wl,-Bdynamic -o prog -pthread
  check "$compiler still ours" is_ours prog

  check "$compiler shared library" "$cc" -shared -fPIC part.c -o libpart.so
  check "$compiler shared library, no undefined symbols" "$cc" -shared -fPIC -Wl,-z,defs part.c -o libpart.so
  check "$compiler program with shared library" "$cc" main.c ./libpart.so -o prog -pthread
  check "$compiler it runs" ./prog
  rm libpart.so
  check "$compiler -r" "$cc" -r -nostdlib main.o part.o -o both.o
  check "$compiler link of that" "$cc" both.o -o prog -pthread
  check "$compiler it runs" ./prog

  check "$compiler assembly" "$cc" -Werror use_asm.c answer.s -o prog
  check "$compiler it runs" ./prog
  check "$compiler preprocessed assembly" "$cc" -Werror -c upper.S -o upper.o
  check "$compiler mixed inputs" "$cc" use_asm.c upper.o -o prog
  check "$compiler it runs" ./prog
  check "$compiler assembly only" "$cc" -Werror -c answer.s -o answer.o

  check "$compiler -E" "$cc" -E main.c -o main.i
  check "$compiler -E knows the sanitizer" grep -q heddle_outcome main.i
  check "$compiler preprocessed input" "$cc" main.i part.c -o prog -pthread
  check "$compiler it runs" ./prog
  check "$compiler -S" "$cc" -S part.c -o part.asm
  check "$compiler -S instruments" grep -q __tsan_ part.asm
  check "$compiler standard input" bash -c "'$cc' -x c -c -o stdin.o - <part.c"
  check "$compiler standard input is instrumented" instrumented stdin.o
  check "$compiler standard input, linked" bash -c "'$cc' part.o -x c -o prog - -pthread <main.c"
  check "$compiler it runs" ./prog
  check "$compiler -x none" "$cc" -x c main.c -x none part.o -o prog -pthread
  check "$compiler it runs" ./prog
  check "$compiler C through heddle-c++" "$cxx" -x c main.c part.c -o prog -pthread
  check "$compiler it runs" ./prog

  check "$compiler -MM" bash -c "'$cc' -MM main.c | grep -q '^main.o: main.c part.h'"
  check "$compiler -MMD -MF" "$cc" -MMD -MF dep.d -c main.c -o sub/main.o
  check "$compiler dependencies" grep -q '^sub/main.o: main.c part.h' dep.d
  rm -f ./*.d sub/*
  # Split or not, dependencies of a program lie where the compiler itself puts them, with the same targets.
  for output in "" "-o sub/a.b.prog"; do
    "$compiler" -idirafter "$build/include" -MMD main.c part.c $output -pthread
    find . -name '*.d' | sort | xargs tail -n +1 >expected
    find . -name '*.d' -delete
    check "$compiler -MMD in one step $output" "$cc" -MMD main.c part.c $output -pthread
    find . -name '*.d' | sort | xargs tail -n +1 >actual
    find . -name '*.d' -delete
    check "$compiler -MMD in one step $output: the same files" diff expected actual
  done

  echo '-O1 "main.c" part.c -o "prog with space" -D'"'"'TEXT=a b'"'"' -pthread' >args
  check "$compiler response file" "$cc" @args
  check "$compiler it runs" "./prog with space"
  if [ $compiler = clang ]; then # GCC itself fails: it hands all of them to its parts in one variable
    for i in {1..60000}; do echo "'-DUNUSED_$i=a \\\\ \"with quotes and spaces\" in it'"; done >many
    check "$compiler arguments longer than the system takes" "$cc" @many -c part.c -o part.o
  fi

  check "$compiler --version" bash -c "'$cc' --version | grep -qi $compiler"
  check "$compiler --version begins as the compiler's own" bash -c "'$cc' --version | head -n \$($compiler --version | wc -l) | diff - <($compiler --version)"
  check "$compiler --version names heddle's" bash -c "'$cc' --version | grep -q '^heddle-cc [0-9.]* compiles for heddle with .*$compiler'"
  check "$compiler --version names heddle-c++" bash -c "'$cxx' --version | grep -q '^heddle-c++ [0-9.]* '"
  check "$compiler --version says nothing else" bash -c "[ -z \"\$('$cc' --version 2>&1 >/dev/null)\" ]"
  check "$compiler -print-search-dirs" "$cc" -print-search-dirs
  check "$compiler -v" "$cc" -v
  check "$compiler -dumpmachine" "$cc" -dumpmachine
  check "$compiler -Wl,--version" "$cc" -Wl,--version

  check "$compiler the user's own -fsanitize=thread" "$cc" -fsanitize=thread main.c part.c -o prog -pthread
  check "$compiler is ours" is_ours prog
  check "$compiler one note for it" bash -c "'$cc' -fsanitize=thread main.c part.c -o prog -pthread 2>&1 | grep -c '' | grep -qx 1"
  check "$compiler that says what is linked" bash -c "'$cc' -fsanitize=thread main.c part.c -o prog -pthread 2>&1 | grep -q 'note: -fsanitize=thread: libheddle'"
  check "$compiler none when only compiling" bash -c "[ -z \"\$('$cc' -fsanitize=thread -c part.c 2>&1)\" ]"
  check "$compiler none when not asked for" bash -c "[ -z \"\$('$cc' main.c part.c -o prog -pthread 2>&1)\" ]"
  check "$compiler -fsanitize=thread at link" "$cc" -fsanitize=thread main.o part.o -o prog -pthread
  check "$compiler is ours" is_ours prog
  check "$compiler -flto" "$cc" -flto -O2 main.c part.c -o prog -pthread
  check "$compiler is ours" is_ours prog
  check "$compiler -fno-sanitize=thread" "$cc" -fno-sanitize=thread -c part.c -o part.o
  check "$compiler -fno-sanitize=thread wins" plain part.o
  refuse "$compiler -fsanitize=address" "-fsanitize=address cannot be combined with heddle" "$cc" -fsanitize=address -c part.c
  refuse "$compiler -fsanitize=undefined,memory" "memory cannot be combined" "$cc" -fsanitize=undefined,memory main.c part.c
  for option in -m32 -mx32 -m16; do
    refuse "$compiler $option" "$option: heddle supports x86-64 programs only" "$cc" $option -c part.c
    refuse "$compiler $option when linking" "$option: heddle" "$cc" main.c part.c $option -o prog
  done
  "$cc" -m32 -c part.c 2>/dev/null
  check "$compiler -m32 is status 2" test $? = 2
  check "$compiler the last of -m32 -m64 counts" "$cc" -m32 -m64 -c part.c
  refuse "$compiler -static" "leave -static out" "$cc" -static main.c part.c -o prog

  printf 'int main(void) { return 0; }\n#error stop here\n' >broken.c
  "$compiler" broken.c -o prog >/dev/null 2>&1
  expected_status=$?
  "$cc" broken.c part.c -o prog >messages 2>&1
  check "$compiler status of a failed compilation" test $? = $expected_status
  check "$compiler message of a failed compilation" grep -q 'stop here' messages
  "$cc" part.c -o prog >messages 2>&1
  check "$compiler status of a failed link" test $? = 1
  check "$compiler no temporary files are left" no_leftovers

  cat >Makefile <<'E1'
CFLAGS = -O1 -Wall -Werror
LDLIBS = -lpthread
prog: main.o part.o
	$(CC) $(LDFLAGS) $^ $(LDLIBS) -o $@
clean:
	rm -f prog *.o
E1
  # What configure scripts ask: who are you, do you work, do you know this option (then you say nothing).
  cat >configure <<'E1'
set -e
$CC --version </dev/null >conf.log 2>&1
grep -q -e 'Free Software Foundation' -e '^.*clang version' conf.log
head -n 1 conf.log | grep -o '[0-9][0-9]*[.][0-9.]*' | head -n 1 >conf.version
echo 'int main(void) { return 0; }' >conftest.c
$CC -o conftest conftest.c
./conftest
for flag in -Wall -fPIC -O2 -fsanitize=thread; do
  $CC $flag -c conftest.c -o conftest.o 2>conf.err
  [ ! -s conf.err ]
done
E1
  check "$compiler configure" env CC="$cc" sh configure
  check "$compiler configure finds the version" grep -qx "$($compiler --version | head -n 1 | grep -o '[0-9][0-9]*[.][0-9.]*' | head -n 1)" conf.version
  check "$compiler make clean" make clean
  check "$compiler make" make CC="$cc"
  check "$compiler make is ours" is_ours prog
  check "$compiler make runs" ./prog

  mkdir project
  cp main.c part.c part.h plain.cpp project
  cat >project/CMakeLists.txt <<'E1'
cmake_minimum_required(VERSION 3.10)
project(p C CXX)
find_package(Threads REQUIRED)
add_library(part SHARED part.c)
add_executable(prog main.c)
target_link_libraries(prog part Threads::Threads)
add_executable(plain plain.cpp)
target_link_libraries(plain Threads::Threads)
if(NOT CMAKE_C_COMPILER_ID MATCHES "GNU|Clang" OR NOT CMAKE_CXX_COMPILER_ID STREQUAL CMAKE_C_COMPILER_ID)
  message(FATAL_ERROR "compiler not recognised: ${CMAKE_C_COMPILER_ID} ${CMAKE_CXX_COMPILER_ID}")
endif()
E1
  check "$compiler cmake" cmake -S project -B project/build -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_BUILD_TYPE=Release
  check "$compiler cmake --build" cmake --build project/build
  check "$compiler cmake has the compiler's version" grep -q "COMPILER_VERSION \"$($compiler -dumpfullversion 2>/dev/null || $compiler -dumpversion)\"" project/build/CMakeFiles/*/CMakeCCompiler.cmake
  check "$compiler cmake is ours" is_ours project/build/prog
  check "$compiler cmake runs" project/build/prog
  check "$compiler cmake C++ runs" project/build/plain
  rm -rf project
done

unset HEDDLE_CC HEDDLE_CXX
check "the default is GCC" bash -c "'$cc' --version | grep -q gcc"
check "--heddle-compiler=clang" bash -c "'$cxx' --heddle-compiler=clang --version | grep -q clang"
check "--heddle-compiler=PATH" "$cc" --heddle-compiler="$(command -v gcc)" -c part.c
refuse "no such compiler" "there is no compiler" "$cc" --heddle-compiler=/nowhere/gcc -c part.c
refuse "no such compiler in PATH" "no compiler nowhere in PATH" env HEDDLE_CC=nowhere "$cc" -c part.c
refuse "itself" "is heddle-cc itself" "$cc" --heddle-compiler="$cc" -c part.c
mkdir masked
ln -s "$cc" masked/gcc
check "installed under the name gcc" env PATH="$dir/masked:$PATH" gcc -c part.c -o part.o
check "it instruments" instrumented part.o

if [ $failures != 0 ]; then
  echo "$failures checks failed"
  exit 1
fi
echo "all checks passed"
