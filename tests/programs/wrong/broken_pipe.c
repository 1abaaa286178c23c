// Writing to a pipe whose reading end is closed ends the program.
// heddle: check
// expect: verdict=bug kind=crash message~SIGPIPE location=@write
// One thread: 1 execution.
// traces: 1 enumerated --keep-going
#include <unistd.h>

int main() {
  int ends[2];
  if (pipe(ends) != 0) return 0;
  close(ends[0]);
  ssize_t count = write(ends[1], "x", 1);  // @write
  return count == 1;
}
