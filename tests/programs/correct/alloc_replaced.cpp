// The program brings some of the operators itself, by malloc: what belongs together, nobody knows.
// heddle: check
// expect: verdict=clean complete=true executions=1
// heddle: check --points all
// expect: verdict=clean complete=true executions=1
// compilers: gcc clang   opt: -O0 -O2
#include <stdlib.h>

#include <new>
#include <string>

void* operator new(std::size_t bytes) {
  void* block = malloc(bytes);
  return block ? block : throw std::bad_alloc();
}
void operator delete(void* block) noexcept { free(block); }

int main() {
  std::string text = "which is longer than what a string holds in itself";
  text += text;
  int* volatile one = new int(1);
  free(one);  // as the program's operators have it
  int* volatile many = new int[3];
  delete[] many;
}
