// Each execution finds what the one before it has written.
// heddle: check
// expect: incomplete=writes-files
#include <assert.h>
#include <stdio.h>

int main(void) {
  FILE* file = fopen("writes_files.txt", "w");
  assert(file != 0);
  fprintf(file, "once\n");
  fclose(file);
  remove("writes_files.txt");
}
