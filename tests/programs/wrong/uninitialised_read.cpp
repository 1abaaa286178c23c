// Bytes of the heap are read that nobody has written.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check -- field
// expect: verdict=clean complete=true
// heddle: check --uninitialised -- field
// expect: verdict=bug kind=uninitialised-read location=@field message~"T1 reads Node#1.value, which nobody has written: it lies in Node#1, 16 bytes, allocated by main at uninitialised_read.cpp:"
// heddle: check --uninitialised --no-races -- field
// expect: verdict=bug kind=uninitialised-read location=@field
// heddle: check --uninitialised --points all -- field
// expect: verdict=bug kind=uninitialised-read location=@field
// heddle: check --uninitialised --rewind fork -- field
// expect: verdict=bug kind=uninitialised-read location=@field
// heddle: check --uninitialised -- alone
// expect: verdict=bug kind=uninitialised-read location=@alone message~"main reads "
// heddle: check --uninitialised -- atomic
// expect: verdict=bug kind=uninitialised-read message~"T1 loads atomic "
// heddle: check --uninitialised -- spin_lock
// expect: verdict=bug kind=uninitialised-read message~"T1 exchanges atomic "
// heddle: check --uninitialised --volatile atomic -- volatile
// expect: verdict=bug kind=uninitialised-read location=@volatile
// Who copies does not read; who reads the copy does.
// heddle: check --uninitialised -- copied
// expect: verdict=bug kind=uninitialised-read location=@copied
// heddle: check --uninitialised -- grown
// expect: verdict=bug kind=uninitialised-read location=@grown
// heddle: check --uninitialised -- new_array
// expect: verdict=bug kind=uninitialised-read location=@new_array message~"allocated by T1"
// A writer and a reader, each in a critical section: it is one in the order in which the reader comes first.
// traces: 2 enumerated --uninitialised --keep-going -- order
// every search: uninitialised-read --uninitialised -- order

#include <stdlib.h>
#include <string.h>

#include <atomic>
#include <mutex>
#include <string>
#include <thread>

struct Node {
  int key;
  int value;
  Node* next;
};

int sink;  // not static: else nothing is read into it
static std::mutex mutex;

// Not in line, where the compiler would know that nothing was written.
[[gnu::noinline]] static Node* Make() {
  auto* node = static_cast<Node*>(malloc(sizeof(Node)));
  node->key = 1;
  return node;
}

static void Field() {
  Node* node = Make();
  std::thread reader([=] {
    if (node->value != 0) sink = 1;  // @field
  });
  reader.join();
  free(node);
}

static void Alone() {
  Node* node = Make();
  if (node->next != nullptr) sink = 1;  // @alone
  free(node);
}

static void Atomic() {
  auto* value = static_cast<std::atomic<int>*>(malloc(sizeof(std::atomic<int>)));
  std::thread reader([=] {
    sink += value->load();
  });
  reader.join();
  free(value);
}

static void SpinLock() {
  auto* lock = static_cast<std::atomic<int>*>(malloc(sizeof(std::atomic<int>)));
  std::thread user([=] {
    while (lock->exchange(1) != 0) {
    }
    lock->store(0);
  });
  user.join();
  free(lock);
}

static void Volatile() {
  auto* value = static_cast<volatile int*>(malloc(sizeof(int)));
  std::thread reader([=] {
    sink += *value;  // @volatile
  });
  reader.join();
  free(const_cast<int*>(value));
}

static void Copied() {
  Node* from = Make();
  Node* to = static_cast<Node*>(malloc(sizeof(Node)));
  memcpy(to, from, sizeof(Node));
  sink += to->key;
  sink += to->value;  // @copied
  free(from);
  free(to);
}

static void Grown() {
  char* text = static_cast<char*>(malloc(8));
  memset(text, 1, 8);
  text = static_cast<char*>(realloc(text, 64));
  sink += text[7];
  sink += text[20];  // @grown
  free(text);
}

[[gnu::noinline]] static short* MakeArray() { return new short[10]; }

static void NewArray() {
  std::thread([] {
    short* values = MakeArray();
    values[3] = 4;
    sink += values[3];
    sink += values[8];  // @new_array
    delete[] values;
  }).join();
}

static void Order() {
  int* value = new int;
  std::thread writer([=] {
    const std::lock_guard<std::mutex> guard(mutex);
    *value = 1;
  });
  {
    const std::lock_guard<std::mutex> guard(mutex);
    sink += *value;
  }
  writer.join();
  delete value;
}

int main(int, char** arguments) {
  const std::string what = arguments[1];
  if (what == "field") Field();
  if (what == "alone") Alone();
  if (what == "atomic") Atomic();
  if (what == "spin_lock") SpinLock();
  if (what == "volatile") Volatile();
  if (what == "copied") Copied();
  if (what == "grown") Grown();
  if (what == "new_array") NewArray();
  if (what == "order") Order();
}
