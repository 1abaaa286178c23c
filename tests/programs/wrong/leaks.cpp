// Memory that nothing points to when the program ends.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check -- alone
// expect: verdict=clean complete=true executions=1
// heddle: check --leaks -- alone
// expect: verdict=bug kind=leak location=@alone message~"nothing points to" message~", 24 bytes, allocated by main at leaks.cpp:" message~", when the program ends" executions=1
// heddle: check --leaks -- new
// expect: verdict=bug kind=leak location=@new message~", 4 bytes, allocated by main at leaks.cpp:"
// heddle: check --leaks -- large
// expect: verdict=bug kind=leak location=@large message~", 3145728 bytes, allocated by main"
// heddle: check --leaks -- chain
// expect: verdict=bug kind=leak location=@node message~"; 2 other blocks, 32 bytes, are lost, too"
// heddle: check --leaks -- circle
// expect: verdict=bug kind=leak location=@node message~"; 1 other block, 16 bytes, is lost, too"
// heddle: check --leaks -- thread_local
// expect: verdict=bug kind=leak location=@thread_local message~", allocated by T1 at leaks.cpp:"
// heddle: check --leaks --fail-allocations 2 -- fails
// expect: verdict=bug kind=leak location=@first step~"fails to allocate"
// Two threads: one puts a block there, the other one frees what it finds. Who comes first?
// traces: 2 enumerated --leaks --keep-going -- order
// heddle: check --leaks -- order
// expect: verdict=bug kind=leak location=@order preemptions=0
// every search: leak --leaks -- order
// Two places, of which one is a leak in each order.
// heddle: check --leaks --keep-going -- two
// expect: verdict=bug complete=true bugs=2 kinds=leak
// One execution: a place that is called three times in two ways, and another one.
// heddle: check --leaks -- several
// expect: verdict=bug bugs=3 kinds=leak executions=1 message~"; 1 other block, 24 bytes, is lost, too"
// One function allocates for two callers, of which the second leaks in one order only.
// traces: 2 enumerated --leaks --keep-going -- callers
// heddle: check --leaks --keep-going -- callers
// expect: verdict=bug complete=true bugs=2 kinds=leak
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <new>

#include "run_threads.h"

struct Node {
  Node* next;
  long value;
};

static void* volatile kept;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static thread_local void* volatile own;

static Node* MakeNode(Node* next) {
  Node* node = static_cast<Node*>(malloc(sizeof(Node)));  // @node
  node->next = next;
  node->value = 1;
  return node;
}

static void* KeepOwn(void* arg) {
  own = malloc(8);  // @thread_local
  return arg;
}

static void* Put(void* arg) {
  pthread_mutex_lock(&mutex);
  kept = malloc(8);  // @order
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void* Take(void* arg) {
  pthread_mutex_lock(&mutex);
  free(kept);
  kept = nullptr;
  pthread_mutex_unlock(&mutex);
  return arg;
}

// Whoever comes second forgets the other one's.
static void* PutOne(void* arg) {
  pthread_mutex_lock(&mutex);
  kept = malloc(8);
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void* PutOther(void* arg) {
  pthread_mutex_lock(&mutex);
  kept = malloc(8);
  pthread_mutex_unlock(&mutex);
  return arg;
}

// Neither is called by a jump.
__attribute__((noinline)) static void AllocateFor(size_t bytes) {
  kept = malloc(bytes);
  kept = nullptr;
}
__attribute__((noinline)) static void Caller(size_t bytes) {
  AllocateFor(bytes);
  kept = nullptr;
}
__attribute__((noinline)) static void OtherCaller(size_t bytes) {
  AllocateFor(bytes);
  kept = nullptr;
}

static volatile int last;
template <int number>
static void* ComeLast(void* arg) {
  pthread_mutex_lock(&mutex);
  last = number;
  pthread_mutex_unlock(&mutex);
  return arg;
}

static bool MakeTwo() {
  kept = malloc(8);  // @first
  if (!kept) return false;
  void* volatile second = malloc(16);
  if (!second) return false;  // what about the first?
  free(second);
  free(kept);
  return true;
}

int main(int argc, char** argv) {
  const auto is = [&](const char* name) { return argc == 2 && strcmp(argv[1], name) == 0; };
  if (is("alone")) kept = malloc(24);            // @alone
  if (is("new")) kept = new int;                 // @new
  if (is("large")) kept = malloc(3u << 20);      // @large
  if (is("chain")) kept = MakeNode(MakeNode(MakeNode(nullptr)));
  if (is("circle")) {
    Node* first = MakeNode(nullptr);
    kept = first->next = MakeNode(first);
  }
  if (is("thread_local")) RunSame(1, KeepOwn);
  if (is("fails")) MakeTwo();
  if (is("order")) {
    const Body bodies[] = {Put, Take};
    RunThreads(2, bodies);
  }
  if (is("several")) {
    for (volatile int i = 0; i < 2; i = i + 1) Caller(24);
    OtherCaller(40);
    kept = new int;
  }
  if (is("callers")) {
    const Body bodies[] = {ComeLast<1>, ComeLast<2>};
    RunThreads(2, bodies);
    Caller(8);
    if (last == 2) OtherCaller(16);
  }
  if (is("two")) {
    const Body bodies[] = {PutOne, PutOther};
    RunThreads(2, bodies);
    free(kept);
  }
  kept = nullptr;
}
