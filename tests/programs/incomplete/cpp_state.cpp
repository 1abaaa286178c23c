// What the C++ library keeps for the whole program, set beside other threads, which ask for it: heddle sees neither.
// heddle: check -- new
// expect: incomplete=unseen-code
// heddle: check -- resource
// expect: incomplete=unseen-code
// heddle: check --order depth-first --reduction none -- locale
// expect: incomplete=unseen-code
// std: c++17
// Before there are several threads nobody can tell.
// heddle: check -- alone
// expect: verdict=clean complete=true
#include <cstdlib>
#include <locale>
#include <memory_resource>
#include <new>
#include <string>
#include <thread>

static void End() { std::_Exit(0); }

static void Set(const std::string& what) {
  if (what == "new") std::set_new_handler(End);
  if (what == "resource") std::pmr::set_default_resource(std::pmr::null_memory_resource());
  if (what == "locale") std::locale::global(std::locale::classic());
}

int main(int count, char** arguments) {
  const std::string mode = count > 1 ? arguments[1] : "new";
  if (mode == "alone")
    for (const char* each : {"new", "resource", "locale"}) Set(each);
  std::thread setter([&] { Set(mode); });
  std::thread other([] { std::get_new_handler(); });
  setter.join();
  other.join();
}
