// Blocks that static initialisers have allocated have a name and a place, as those that main allocates; and variables that have a
// std::string in their type are called as in the source.
// compilers: gcc clang   opt: -O0 -O2
// std: c++17
// heddle: check
// expect: verdict=bug kind=data-race message~"data race on int#1[3]" stdout~"int#1: 40 bytes of the heap, allocated by main at "
// heddle: check -- overflow
// expect: verdict=bug kind=heap-buffer-overflow location=@overflow message~"40 bytes, allocated by main at static_block.cpp:"
// heddle: check -- vector
// expect: verdict=bug kind=use-after-free location=@vector message~"int#1" stdout~"400 bytes of the heap, allocated by main at "
// heddle: check -- names
// expect: verdict=bug kind=data-race message~"data race on names[1]"
#include <cstring>
#include <string>
#include <thread>
#include <vector>

static int* const numbers = new int[10]();
static std::vector<int> more(100, 1);
std::string names[] = {"a", "b"};

int main(int argc, char** argv) {
  const auto is = [&](const char* name) { return argc > 1 && strcmp(argv[1], name) == 0; };
  int* volatile first = more.data();
  std::thread thread([&] {
    if (argc == 1) numbers[3] = 1;
    if (is("names")) names[1] = "c";
  });
  if (argc == 1) numbers[3] = 2;
  if (is("names")) names[1] = "d";
  int* volatile behind = numbers + 10;
  if (is("overflow")) *behind = 5;  // @overflow
  if (is("vector")) {
    more.resize(1000);
    *first = 3;  // @vector
  }
  thread.join();
}
