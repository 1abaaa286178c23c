// What the program can still reach when it ends is no leak, however it points there.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check --leaks -- memory
// expect: verdict=clean complete=true executions=1
// heddle: check --leaks -- cxx
// expect: verdict=clean complete=true executions=1
// heddle: check --leaks -- exit
// expect: verdict=clean complete=true executions=1
// heddle: check --leaks --visited states -- exit
// expect: verdict=clean complete=true
// heddle: check --leaks -- threads
// expect: verdict=clean complete=true
// heddle: check --leaks --reduction source -- threads
// expect: verdict=clean complete=true
// heddle: check --leaks --rewind checkpoint --order depth-first -- threads
// expect: verdict=clean complete=true
// What the C library allocates for keys beyond the first.
// heddle: check --leaks -- keys
// expect: verdict=clean complete=true
// What the loader allocates when a library is opened that is there.
// heddle: check --leaks -- opens
// expect: verdict=clean executions=1
// In a process of its own, nobody looks.
// heddle: check --leaks --rewind fork -- memory
// expect: verdict=incomplete incomplete=leaks-unseen
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <future>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

// Visible to all, so that the compiler keeps what is written and never read.
char* within;
char* behind;
uintptr_t with_counter;
uintptr_t with_bits;
void** chain;
struct __attribute__((packed)) Event {
  uint32_t events;
  void* data;
};
Event event;
thread_local char* own;
static pthread_key_t key;
void** before_main = static_cast<void**>(malloc(16));
std::map<int, std::string> map;
std::vector<std::unique_ptr<int>>* never_deleted;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static char* Make() { return static_cast<char*>(malloc(40)); }

static void FreeAtExit() {
  free(within - 5);
  within = nullptr;
}

static void Memory() {
  within = Make() + 5;
  behind = Make() + 40;
  with_counter = reinterpret_cast<uintptr_t>(Make()) | uintptr_t{0x1234} << 48;
  with_bits = reinterpret_cast<uintptr_t>(Make()) | 3;
  chain = reinterpret_cast<void**>(Make());
  chain[1] = Make();
  event.data = Make();
  own = Make();
  pthread_key_create(&key, nullptr);
  pthread_setspecific(key, Make());
  *before_main = Make();
  atexit(FreeAtExit);
  setvbuf(stdout, nullptr, _IOFBF, 100);
}

static void Cxx() {
  map[1] = "which is longer than what a string holds in itself";
  never_deleted = new std::vector<std::unique_ptr<int>>;
  never_deleted->push_back(std::make_unique<int>(1));
  std::cout << "printed" << std::endl;
  try {
    throw std::string("which is longer than what a string holds in itself");
  } catch (const std::string& text) {
    map[2] = text;
  }
  const auto shared = std::make_shared<std::string>("text");
  std::future<int> later = std::async(std::launch::deferred, [shared] { return 1; });
  later.get();
}

// The local variables of those who called exit are still there.
static void Exit() {
  char* volatile local = Make();
  local[0] = 1;
  exit(0);
}

static void* Wait(void* arg) {
  char* volatile local = Make();
  own = Make();
  local[0] = 1;
  pthread_mutex_lock(&mutex);
  for (;;) pthread_cond_wait(&never, &mutex);
  return arg;
}

static void* Answer(void*) { return Make(); }
static void* Given(void* arg) { return arg; }

static void Threads() {
  pthread_t thread;
  pthread_create(&thread, nullptr, Answer, nullptr);  // nobody fetches it
  pthread_create(&thread, nullptr, Given, Make());    // may not have begun
  pthread_create(&thread, nullptr, Wait, nullptr);
}

static void Opens() {
  within = static_cast<char*>(dlopen("libm.so.6", RTLD_NOW));
  pthread_t thread;
  pthread_create(&thread, nullptr, Given, nullptr);
  pthread_join(thread, nullptr);
}

static void Keys() {
  pthread_key_t key;
  for (int i = 0; i < 40; ++i) pthread_key_create(&key, free);
  const auto use = [key] { pthread_setspecific(key, malloc(1)); };
  std::thread a(use), b(use);
  a.join();
  b.join();
  use();
}

int main(int argc, char** argv) {
  const auto is = [&](const char* name) { return argc == 2 && strcmp(argv[1], name) == 0; };
  if (is("memory")) Memory();
  if (is("cxx")) Cxx();
  if (is("exit")) Exit();
  if (is("opens")) Opens();
  if (is("threads")) Threads();
  if (is("keys")) Keys();
}
