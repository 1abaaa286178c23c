// As wrong/uninitialised_read.cpp, in a file with an asm statement, where heddle-cc clears registers behind each hook; and
// numbers that are divided.
// compilers: gcc clang   opt: -O0 -O1 -O2
// heddle: check --uninitialised -- compare
// expect: verdict=bug kind=uninitialised-read location=@compare executions=1
// heddle: check --uninitialised -- divide
// expect: verdict=bug kind=uninitialised-read location=@divide executions=1
// heddle: check --uninitialised -- multiply
// expect: verdict=bug kind=uninitialised-read location=@multiply executions=1
// heddle: check --uninitialised -- copy
// expect: verdict=clean complete=true executions=1
#include <stdlib.h>
#include <string.h>

struct Numbers {
  int a, b, c;
};
static volatile int sink;
static struct Numbers* copy;

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  struct Numbers* numbers = malloc(sizeof *numbers);
  __asm__ volatile("nop" : "+r"(numbers) : : "memory");
  if (strcmp(mode, "compare") == 0 && numbers->b == 4) sink = 1;  // @compare
  if (strcmp(mode, "divide") == 0) sink = numbers->b / argc;      // @divide
  if (strcmp(mode, "multiply") == 0) sink = argc * numbers->b;    // @multiply
  if (strcmp(mode, "copy") == 0) {
    copy = malloc(sizeof *copy);
    *copy = *numbers;
  }
  return 0;
}
