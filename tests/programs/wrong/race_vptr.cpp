// A virtual call while the object is being destroyed: the race is on the virtual table pointer.
// compilers: gcc clang   opt: -O0
// heddle: check
// expect: verdict=bug kind=data-race
#include <new>
#include <thread>

struct Base {
  virtual ~Base() {}
  virtual int Value() { return 1; }
};

struct Derived : Base {
  ~Derived() override {}
  int Value() override { return 2; }
};

alignas(Derived) static char storage[sizeof(Derived)];

int main() {
  Base *object = new (storage) Derived;
  std::thread caller([=] { object->Value(); });
  std::thread destroyer([=] { object->~Base(); });
  caller.join();
  destroyer.join();
}
