#!/bin/bash
# The installed tree works, also after it was moved: commands, CMake package, pkg-config file.
# Usage: test_install.sh BUILD_DIR
set -eu
build=$(cd "$1" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
fail() {
  echo "FAILED: $*"
  exit 1
}
# Into another root, for another prefix, without debug information; then moved. A package is made so.
DESTDIR=$dir/stage cmake --install "$build" --strip --prefix /opt/first >/dev/null
[ "$(ls stage)" = opt ] || fail "something was installed outside the prefix: $(ls stage)"
mkdir "moved here"
mv stage/opt/first "moved here/heddle"
prefix=$dir/moved\ here/heddle
if grep -rlF -e "$dir/stage" -e /opt/first "$prefix"; then fail "these files name the place they were installed to"; fi
[ "$(readlink "$prefix/bin/heddle-c++")" = heddle-cc ] || fail "heddle-c++ is no link to heddle-cc"
size=$(du -sm "$prefix" | cut -f1)
[ "$size" -lt 16 ] || fail "the stripped tree has $size MB"
"$prefix/bin/heddle" check --help >/dev/null
"$prefix/bin/heddle-campaign" run --help >/dev/null
if [ -e "$build/pages" ]; then  # made with Python, where there is some
  for page in heddle heddle-check heddle-replay heddle-report heddle-split heddle-work heddle-merge heddle-cc heddle-c++; do
    gzip -t "$prefix/share/man/man1/$page.1.gz"
  done
  for command in heddle heddle-cc heddle-c++; do
    grep -q "complete .*$command" "$prefix/share/bash-completion/completions/$command"
  done
  [ -s "$prefix"/share/zsh/*/_heddle ] && [ -s "$prefix/share/fish/vendor_completions.d/heddle.fish" ]
fi
[ -s "$prefix/share/doc/heddle/docs/cli.md" ] && [ -s "$prefix/share/doc/heddle/examples/01_bank_account.cpp" ]

cat >racy.cpp <<'E1'
#include <heddle.h>
#include <thread>
int x = 0;
int main() {
  std::thread t([] { ++x; });
#ifdef RACE
  ++x;
#endif
  t.join();
  heddle_outcome("x=%d", x);
  return x == 0;
}
E1
mkdir project
mv racy.cpp project
cat >project/CMakeLists.txt <<'E1'
cmake_minimum_required(VERSION 3.16)
project(consumer CXX)
enable_testing()
find_package(Threads REQUIRED)
find_package(heddle 0.1 REQUIRED)
add_executable(good racy.cpp)
target_link_libraries(good heddle::heddle Threads::Threads)
add_executable(bad racy.cpp)
target_compile_definitions(bad PRIVATE RACE)
target_link_libraries(bad heddle::heddle Threads::Threads)
add_executable(plain racy.cpp)
target_link_libraries(plain heddle::headers Threads::Threads)
heddle_add_check(NAME good TARGET good OPTIONS --executions 1000)
heddle_add_check(NAME bad TARGET bad)
set_tests_properties(bad PROPERTIES WILL_FAIL ON)
E1
for compiler in g++ clang++; do
  rm -rf b
  cmake -S project -B b -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER=$compiler >log 2>&1 || { cat log; exit 1; }
  cmake --build b >log 2>&1 || { cat log; exit 1; }
  (cd b && ctest --output-on-failure) || exit 1
  b/plain
  if ldd b/plain | grep -q libheddle; then echo "heddle::headers linked the library"; exit 1; fi
  if ldd b/good | grep -q libtsan; then echo "heddle::heddle linked libtsan"; exit 1; fi
done

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig:$prefix/lib/x86_64-linux-gnu/pkgconfig
pkg-config --modversion heddle
[ "$(eval "realpath $(pkg-config --variable=cxx heddle)")" = "$prefix/bin/heddle-cc" ] || fail "pkg-config --variable=cxx heddle"
eval "g++ project/racy.cpp -o linked -pthread $(pkg-config --cflags --libs heddle)"
ldd linked | grep -qF "libheddle.so => $prefix" || fail "pkg-config --libs heddle"
./linked
"$prefix/bin/heddle-c++" project/racy.cpp -o good -pthread
./good
"$prefix/bin/heddle" check --out out ./good >log 2>&1 || { cat log; exit 1; }
"$prefix/bin/heddle-c++" -DRACE project/racy.cpp -o bad -pthread
"$prefix/bin/heddle" check --out out ./bad >log 2>&1 && { cat log; exit 1; }
if [ "$(gdb -nx -batch -ex 'python print(1)' 2>/dev/null)" = 1 ]; then
  schedule=$(ls out/*.heddle | head -n 1)
  HOME=$dir "$prefix/bin/heddle" replay --gdb "$schedule" </dev/null >log 2>&1 || { cat log; exit 1; }
  grep -q "here it fails" log || { cat log; exit 1; }
  # A front end that starts gdb by itself.
  HOME=$dir gdb -nx -batch -ex "source $prefix/share/heddle/heddle_gdb.py" -ex "heddle-replay $schedule" \
    -ex heddle-goto >log 2>&1
  grep -q "here it fails" log || { cat log; exit 1; }
fi
echo "the installed tree works"
