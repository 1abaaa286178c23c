#!/bin/bash
# Asm statements through heddle-cc, in every way in which builds call a compiler, with GCC and Clang: the calls are put in,
# line numbers stay, what is not decoded is named when compiling and in every report.
# Usage: test_inline_asm.sh BUILD_DIR
set -u
build=$(cd "$1" && pwd) || exit 2
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2
unset HEDDLE_CC HEDDLE_CXX
cc=$build/heddle-cc
cxx=$build/heddle-c++
failures=0

check() { # WHAT COMMAND...
  local what=$1
  shift
  if ! "$@" >log 2>&1; then
    echo "FAILED: $what: $*"
    sed 's/^/    /' log
    failures=$((failures + 1))
  fi
}
sees() { nm "$1" | grep -q ' U heddle_inline_asm$'; }
sees_nothing() { ! nm "$1" | grep -q ' U heddle_inline_asm$'; }
silent() { [ "$("$@" 2>&1 | wc -c)" = 0 ]; }
lines() { readelf --debug-dump=decodedline "$1" | awk '$1 == "add.c" { print $2 }' | sort -un; }

mkdir tmp
export TMPDIR=$dir/tmp
cat >add.c <<'E1'
int shared;
void add(void) {
  __asm__ volatile("lock; incl %0"
                   : "+m"(shared)
                   :
                   : "memory", "cc");
  shared = shared + 1;
}
E1
sed 's/lock; incl %0/nop/' add.c >plain.c
cat >main.c <<'E1'
#include <pthread.h>
void add(void);
extern int shared;
static void *run(void *p) { add(); return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  return shared != 2;
}
E1
cat >odd.c <<'E1'
int shared, more[4];
void odd(int *p) {
  __asm__ volatile("repe cmpsb" ::: "memory", "cc", "rsi", "rdi", "rcx");  // line 3
  __asm__ volatile(".byte 0xf0, 0xff, 0x07" : : "D"(p) : "memory", "cc");
}
int main(void) { return 0; }
E1
cat >scope.cpp <<'E1'
__asm__(".globl from_assembly\nfrom_assembly:\n\tlock; incl (%rdi)\n\tret");
extern "C" void from_assembly(int *);
int main() { int x = 0; from_assembly(&x); return x != 1; }
E1

for compiler in gcc clang; do
  export HEDDLE_CC=$compiler HEDDLE_CXX=$compiler
  check "$compiler -c" silent "$cc" -O1 -c add.c
  check "$compiler -c sees" sees add.o
  check "$compiler no asm statements, no call" "$cc" -O1 -c plain.c -o plain.o
  check "$compiler nothing to see" sees_nothing plain.o
  check "$compiler -c with several files" "$cc" -c add.c main.c
  check "$compiler link" "$cc" add.o main.o -o prog -pthread
  check "$compiler runs" ./prog
  check "$compiler compile and link in one" "$cc" -O2 add.c main.c -o prog -pthread
  check "$compiler runs" ./prog
  check "$compiler checked" "$build/heddle" check --quiet --out tmp/out ./prog
  for option in -pipe -save-temps -g0 -g3 -gdwarf-4 -flto -fPIC -fno-plt -fno-asynchronous-unwind-tables -MMD -fverbose-asm; do
    rm -f add.o
    check "$compiler $option" "$cc" -O1 $option -c add.c -o add.o
    check "$compiler $option sees" sees add.o
    check "$compiler $option links" "$cc" add.o main.c -o prog -pthread
    check "$compiler $option runs" ./prog
  done
  rm -f ./*.i ./*.s ./*.bc ./*.d
  check "$compiler standard input" bash -c "'$cc' -x c -c -o stdin.o - <add.c"
  check "$compiler standard input sees" sees stdin.o
  check "$compiler -S" "$cc" -S add.c -o add.s
  check "$compiler -S is the compiler's own" bash -c "! grep -q heddle_inline_asm add.s"
  check "$compiler then -c" "$cc" -c add.s -o fromasm.o
  check "$compiler then -c sees" sees fromasm.o
  check "$compiler .s linked" "$cc" add.s main.c -o prog -pthread
  check "$compiler .s linked sees" bash -c "nm -D prog | grep -q heddle_inline_asm"
  other_assembler=()  # GCC has no assembler of its own
  if [ $compiler = clang ]; then
    other_assembler=(-fno-integrated-as)
    check "$compiler the other assembler" "$cc" -fno-integrated-as -c add.c -o other.o
    check "$compiler its own assembler" "$cc" -fintegrated-as -c add.c -o own.o
    check "$compiler its own assembler sees" sees own.o
  fi
  echo '-c add.c -o "with space.o"' >args
  check "$compiler response file" "$cc" @args
  check "$compiler response file sees" sees "with space.o"
  check "$compiler make -j" bash -c "printf 'all: add.o main.o plain.o\n' | make -B -j4 -f - CC='$cc'"
  check "$compiler make sees" sees add.o

  "$compiler" -g -O1 -fsanitize=thread -c add.c -o expected.o
  "$cc" -O1 -c add.c -o actual.o
  lines expected.o >expected
  lines actual.o >actual
  check "$compiler the same lines" diff expected actual

  # The user's own -B comes after ours, and still finds the real assembler.
  mkdir -p own
  printf '#!/bin/sh\ntouch "%s/own/ran"\nexec /usr/bin/as "$@"\n' "$dir" >own/as
  chmod +x own/as
  rm -f own/ran
  check "$compiler -B" "$cc" "-B$dir/own/" "${other_assembler[@]}" -c add.c -o add.o
  check "$compiler -B sees" sees add.o
  check "$compiler -B ran" test -e own/ran

  "$cc" -O1 odd.c -o odd 2>messages
  check "$compiler names what it does not decode" grep -q 'odd.c:3: warning: .*repe cmpsb' messages
  check "$compiler names numbers" grep -q 'odd.c:4: warning: .*\.byte' messages
  check "$compiler two warnings" test "$(wc -l <messages)" = 2
  "$build/heddle" check --out tmp/out --json odd.json ./odd >report
  check "$compiler the report names it" grep -q 'odd.c:3: repe cmpsb' report
  check "$compiler the report names numbers" grep -q 'odd.c:4: \.byte' report
  check "$compiler no claim" bash -c "! grep -q 'every schedule explored' report"
  check "$compiler not complete" grep -q '"complete": false' odd.json
  "$build/heddle" check --require-complete --quiet --out tmp/out ./odd
  check "$compiler status of an incomplete search" test $? = 4
  check "$compiler stripped" strip odd
  "$build/heddle" check --no-debug-info --out tmp/out ./odd >report
  check "$compiler the report of a stripped program" grep -q 'odd.c:3: repe cmpsb' report

  check "$compiler outside functions" "$cxx" -O1 scope.cpp -o scope
  check "$compiler outside functions sees" bash -c "nm -D scope | grep -q heddle_inline_asm"
  check "$compiler outside functions runs" ./scope
  check "$compiler an error of the assembler" bash -c "echo 'void f(void) { __asm__(\"frobnicate\"); }' | '$cc' -x c -c - -o /dev/null 2>messages
    grep -q 'no such instruction' messages"  # no pipe: a clang that dies of SIGPIPE leaves its own temporary files
  rm -rf tmp/out
  check "$compiler no temporary files are left" bash -c '[ -z "$(ls -A tmp)" ]'
done

if [ $failures != 0 ]; then
  echo "$failures checks failed"
  exit 1
fi
echo "all checks passed"
