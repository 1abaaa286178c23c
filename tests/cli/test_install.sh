#!/bin/bash
# The installed tree works, also after it was moved: commands, CMake package, pkg-config file.
# Usage: test_install.sh BUILD_DIR
set -eu
build=$(cd "$1" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cmake --install "$build" --prefix "$dir/first" >/dev/null
mv first moved
prefix=$dir/moved

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
"$prefix/bin/heddle-c++" project/racy.cpp -o good -pthread
./good
"$prefix/bin/heddle" check --out out ./good >log 2>&1 || { cat log; exit 1; }
echo "the installed tree works"
