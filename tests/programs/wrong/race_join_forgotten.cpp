// main reads the result before it joins.
// compilers: gcc clang
// (Not static: what is never read again would be optimised away.)
// heddle: check
// expect: verdict=bug kind=data-race location=@write location=@read
// Graphs: the read before or after the write, 2.
// traces: 2 enumerated --keep-going
#include <thread>

int result;

int main() {
  std::thread worker([] {
    result = 42;  // @write
  });
  int seen = result;  // @read
  worker.join();
  return seen == 1;
}
