// A std::thread that is destroyed while joinable ends the program by std::terminate.
// heddle: check
// expect: verdict=bug kind=uncaught-exception
#include <thread>

int main() {
  std::thread forgotten([] {});
}
