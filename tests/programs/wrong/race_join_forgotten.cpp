// main reads the result before it joins.
// compilers: gcc clang
// (Not static: what is never read again would be optimised away.)
// heddle: check
// expect: verdict=bug kind=data-race location=@write location=@read
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
