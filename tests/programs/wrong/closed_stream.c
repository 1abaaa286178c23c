// A stream is used after it was closed: its memory was freed. In a program with one thread, too.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check -- read
// expect: verdict=bug kind=use-after-free location=@read executions=1
// heddle: check -- print
// expect: verdict=bug kind=use-after-free location=@print executions=1
// heddle: check -- open
// expect: verdict=clean complete=true executions=1
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  char text[] = "hello";
  FILE* stream = fmemopen(text, sizeof text, "r+");
  FILE* volatile kept = stream;
  if (strcmp(mode, "open") == 0) {
    fgetc(stream);
    rewind(stream);
    fprintf(stream, "%d", 1);
  }
  fclose(stream);
  if (strcmp(mode, "read") == 0) fgetc(kept);  // @read
  if (strcmp(mode, "print") == 0) fprintf(kept, "a%s", "b");  // @print
}
