// What the functions of std::string access is seen in every standard of C++: until C++20 the library's headers leave them to
// libstdc++.so.
// compilers: gcc clang   opt: -O0 -O2
// std: c++17
// heddle: check
// expect: verdict=bug kind=data-race location=@both message~"text" executions=1
// heddle: check -- size
// expect: verdict=bug kind=data-race location=@size executions=1
// A string is used after it was deleted: by what is compiled with the program, also of a string of the library's.
// heddle: check -- deleted
// expect: verdict=bug kind=use-after-free location=@deleted executions=1
// heddle: check -- locked
// expect: verdict=clean complete=true executions=2
#include <cstring>
#include <mutex>
#include <string>
#include <thread>

static std::string text = "a";
static std::mutex mutex;
static volatile size_t result;
static bool locks;

static void Append() {
  std::unique_lock<std::mutex> lock(mutex, std::defer_lock);
  if (locks) lock.lock();
  text += 'x';  // @both
}

int main(int argc, char** argv) {
  const auto is = [&](const char* name) { return argc > 1 && strcmp(argv[1], name) == 0; };
  if (is("deleted")) {
    auto* volatile kept = new std::string(3, 'a');
    std::string* const deleted = kept;
    delete kept;
    deleted->append("xyz");  // @deleted
    return 0;
  }
  locks = is("locked");
  std::thread thread(Append);
  if (is("size"))
    result = text.size();  // @size
  else
    Append();
  thread.join();
}
