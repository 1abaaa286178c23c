// Memory is given back by another function than belongs to what allocated it.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check -- array_by_delete
// expect: verdict=bug kind=alloc-dealloc-mismatch location=@delete message~"is given back by operator delete, but comes from operator new[], allocated by main" executions=1
// heddle: check -- array_by_free
// expect: verdict=bug kind=alloc-dealloc-mismatch location=@free message~"is given back by free, but comes from operator new[], allocated by main" executions=1
// heddle: check -- new_by_free
// expect: verdict=bug kind=alloc-dealloc-mismatch location=@free message~"is given back by free, but comes from operator new, allocated by main" executions=1
// heddle: check -- new_by_delete_array
// expect: verdict=bug kind=alloc-dealloc-mismatch location=@delete_array message~"is given back by operator delete[], but comes from operator new, allocated by main" executions=1
// heddle: check -- malloc_by_delete
// expect: verdict=bug kind=alloc-dealloc-mismatch location=@delete message~"is given back by operator delete, but comes from malloc, allocated by main" executions=1
// heddle: check -- strdup_by_delete
// expect: verdict=bug kind=alloc-dealloc-mismatch location=@delete message~"is given back by operator delete, but comes from malloc, allocated by main" executions=1
// heddle: check -- new_by_realloc
// expect: verdict=bug kind=alloc-dealloc-mismatch location=@realloc message~"is given back by free, but comes from operator new, allocated by main" executions=1
// heddle: check -- aligned_by_free
// expect: verdict=bug kind=alloc-dealloc-mismatch location=@free message~"is given back by free, but comes from operator new, allocated by main" executions=1
// heddle: check -- large
// expect: verdict=bug kind=alloc-dealloc-mismatch location=@delete message~"is given back by operator delete, but comes from operator new[], allocated by main" executions=1
// heddle: check -- before_main
// expect: verdict=bug kind=alloc-dealloc-mismatch location=@delete message~"is given back by operator delete, but comes from operator new[]"
// heddle: check --no-races -- array_by_delete
// expect: verdict=bug kind=alloc-dealloc-mismatch
// Two threads: who comes second finds what the first has put there, and takes it for what it puts there itself.
// heddle: check -- threads
// expect: verdict=bug kind=alloc-dealloc-mismatch preemptions=0 message~", allocated by T"
// traces: 2 enumerated --keep-going -- threads
// every search: alloc-dealloc-mismatch -- threads
#include <stdlib.h>
#include <string.h>

#include <new>

#include "run_threads.h"

static char* early = new char[8];
static char* volatile kept;  // so that the compiler does not know what is given back
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void Delete() { delete kept; }                       // @delete
static void DeleteArray() { delete[] kept; }                // @delete_array
static void Free() { free(kept); }                          // @free
static void Realloc() { kept = (char*)realloc(kept, 64); }  // @realloc

static void* PutArray(void* arg) {
  pthread_mutex_lock(&mutex);
  if (kept) Delete();
  kept = new char[8];
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void* PutOne(void* arg) {
  pthread_mutex_lock(&mutex);
  if (kept) Delete();
  kept = new char;
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(int argc, char** argv) {
  const auto is = [&](const char* name) { return argc == 2 && strcmp(argv[1], name) == 0; };
  if (is("array_by_delete")) kept = new char[8], Delete();
  if (is("array_by_free")) kept = new char[8], Free();
  if (is("new_by_free")) kept = new char, Free();
  if (is("new_by_delete_array")) kept = new char, DeleteArray();
  if (is("malloc_by_delete")) kept = (char*)malloc(8), Delete();
  if (is("strdup_by_delete")) kept = strdup(argv[1]), Delete();
  if (is("new_by_realloc")) kept = new char, Realloc();
  if (is("aligned_by_free")) kept = (char*)::operator new(8, std::align_val_t(64)), Free();
  if (is("large")) kept = new char[2 << 20], Delete();
  if (is("before_main")) kept = early, Delete();
  if (is("threads")) {
    const Body bodies[] = {PutArray, PutOne};
    RunThreads(2, bodies);
    DeleteArray();
  }
}
