// What LeakSanitizer's interface says is no leak (sanitizer/lsan_interface.h), and what only that points to.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check --leaks -- object
// expect: verdict=clean complete=true executions=1
// heddle: check --leaks -- section
// expect: verdict=clean complete=true executions=1
// Of the other thread, which is in no such section, it is one, in both orders.
// traces: 2 enumerated --leaks --keep-going -- other
// heddle: check --leaks --keep-going -- other
// expect: verdict=bug bugs=1 kind=leak location=@other complete=true
// Ignored by who comes first only.
// heddle: check --leaks -- first
// expect: verdict=bug kind=leak location=@first
// every search: leak --leaks -- first
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

extern "C" {
void __lsan_ignore_object(const void*);
void __lsan_disable(void);
void __lsan_enable(void);
void __lsan_do_leak_check(void);
int __lsan_do_recoverable_leak_check(void);
}

static void* volatile kept;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool came;

static void* Other(void* arg) {
  pthread_mutex_lock(&mutex);
  kept = malloc(16);  // @other
  kept = nullptr;
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void* InSection(void* arg) {
  __lsan_disable();
  pthread_mutex_lock(&mutex);
  kept = malloc(8);
  kept = nullptr;
  pthread_mutex_unlock(&mutex);
  __lsan_enable();
  return arg;
}

static void* Ignore(void* arg) {
  pthread_mutex_lock(&mutex);
  came = true;
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void* IgnoreUnlessCame(void* arg) {
  void* volatile block = malloc(8);  // @first
  pthread_mutex_lock(&mutex);
  if (!came) __lsan_ignore_object(block);
  pthread_mutex_unlock(&mutex);
  block = nullptr;
  return arg;
}

int main(int argc, char** argv) {
  const auto is = [&](const char* name) { return argc == 2 && strcmp(argv[1], name) == 0; };
  if (is("object")) {
    void** holder = static_cast<void**>(malloc(sizeof(void*)));
    *holder = malloc(24);
    __lsan_ignore_object(holder);
    holder = nullptr;
    __lsan_do_leak_check();
    if (__lsan_do_recoverable_leak_check() != 0) abort();
  }
  if (is("section")) {
    __lsan_disable();
    __lsan_disable();
    __lsan_enable();
    kept = new int;
    kept = malloc(3u << 20);
    __lsan_enable();
    kept = nullptr;
  }
  if (is("other")) {
    const Body bodies[] = {InSection, Other};
    RunThreads(2, bodies);
  }
  if (is("first")) {
    const Body bodies[] = {Ignore, IgnoreUnlessCame};
    RunThreads(2, bodies);
  }
}
