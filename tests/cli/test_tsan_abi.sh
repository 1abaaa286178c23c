#!/bin/bash
# libheddle.so stands in for the sanitizer's runtime: it exports every name of the interface, and programs that GCC and
# Clang compiled with -fsanitize=thread run on it as they would without, when heddle does not run them.
# Usage: test_tsan_abi.sh BUILD_DIR
set -u
library=$(cd "$1" && pwd)/libheddle.so || exit 2
sources=$(cd "$(dirname "$0")/tsan_abi" && pwd) || exit 2
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2
failures=0
unset HEDDLE_CHANNEL

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# exported FILE: the names that a shared library defines.
exported() { nm -D --defined-only "$1" | awk '{ print $3 }' | sed 's/@.*//' | sort -u; }

exported "$library" >have
[ -s have ] || fail "$library exports nothing"

# no_name_missing WHAT LIST: each name in LIST is exported.
no_name_missing() {
  local missing
  missing=$(sort -u "$2" | comm -23 - have)
  [ -z "$missing" ] || fail "$1: not exported:" $missing
}

# The interface as GCC 12 and Clang 14 ship it (symbols.txt), and as the compilers installed here do.
no_name_missing symbols.txt "$sources/symbols.txt"
for runtime in "$(gcc -print-file-name=libtsan.so)" \
  "$(clang -print-resource-dir 2>/dev/null)"/lib/linux/libclang_rt.tsan-x86_64.so; do
  [ -e "$runtime" ] || continue
  exported "$runtime" | grep -E '^(__tsan_|Annotate|WTFAnnotate|RunningOnValgrind|ValgrindSlowdown)' >names
  [ -s names ] || fail "no names in $runtime"
  no_name_missing "$runtime" names
done

# same_output NAME COMPILER SOURCE OPTIONS...: the instrumented program prints what the plain one does.
same_output() {
  local name=$1 compiler=$2 source=$3
  shift 3
  if [ ! -e "plain-$name.out" ] && { # once for every way to instrument it
    ! $compiler -g -pthread -mcx16 -O1 "$source" -o plain -latomic >log 2>&1 || ! ./plain >"plain-$name.out"; }; then
    fail "$name: the plain program" && sed 's/^/    /' log
    rm -f "plain-$name.out"
    return
  fi
  if ! $compiler -g -pthread -mcx16 "$@" -fsanitize=thread -c "$source" -o instrumented.o >log 2>&1 ||
    ! $compiler -pthread instrumented.o "$library" -latomic -Wl,-rpath,"$(dirname "$library")" -o instrumented >>log 2>&1; then
    fail "$name: building with $*" && sed 's/^/    /' log
    return
  fi
  nm -u instrumented.o | awk '{ print $2 }' | grep '^__tsan_' >names
  grep -q __tsan_func_entry names || fail "$name: not instrumented with $*"
  cat names >>used
  no_name_missing "$name $*" names
  if ! ./instrumented >instrumented.out 2>instrumented.err; then
    fail "$name $*: status $?" && sed 's/^/    /' instrumented.err
  elif ! cmp -s "plain-$name.out" instrumented.out; then
    fail "$name $*: other output" && diff "plain-$name.out" instrumented.out | head -20
  fi
}

compilers=0
: >used
for level in -O0 -O2; do
  if command -v gcc >/dev/null; then
    compilers=$((compilers + 1))
    same_output gcc gcc "$sources/every_operation.c" -Wno-tsan $level
    same_output gcc gcc "$sources/every_operation.c" -Wno-tsan --param tsan-distinguish-volatile=1 $level
    same_output g++ 'g++ -std=c++20' "$sources/every_operation.cpp" -Wno-tsan $level
  fi
  if command -v clang >/dev/null; then
    compilers=$((compilers + 1))
    before="-mllvm -tsan-instrument-read-before-write=1"
    same_output clang clang "$sources/every_operation.c" $before $level
    same_output clang clang "$sources/every_operation.c" -mllvm -tsan-distinguish-volatile=1 $level
    same_output clang clang "$sources/every_operation.c" -mllvm -tsan-compound-read-before-write=1 $level
    same_output clang++ 'clang++ -std=c++20' "$sources/every_operation.cpp" $before $level
    same_output clang++ 'clang++ -std=c++20' "$sources/every_operation.cpp" -mno-cx16 $before $level
  fi
done
[ $compilers -gt 0 ] || exit 77

# The programs do reach the interface: all widths of all atomic operations at least.
for bits in 8 16 32 64 128; do
  for operation in load store exchange fetch_{add,sub,and,or,xor,nand}; do
    grep -qx "__tsan_atomic${bits}_$operation" used || fail "no program used __tsan_atomic${bits}_$operation"
  done
  grep -q "__tsan_atomic${bits}_compare_exchange" used || fail "no program compare-exchanged $bits bits"
done

[ $failures -eq 0 ] && echo "$(sort -u used | wc -l) names used, $(sort -u "$sources/symbols.txt" | wc -l) required: all there"
exit $((failures > 0))
