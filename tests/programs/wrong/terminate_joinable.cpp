// A std::thread that is destroyed while joinable ends the program by std::terminate.
// heddle: check
// expect: verdict=bug kind=uncaught-exception
// Graphs: the thread does nothing, 1.
// traces: 1 enumerated --keep-going
#include <thread>

int main() {
  std::thread forgotten([] {});
}
