// A virtual call while the object is being destroyed: the race is on the pointer to the virtual
// table.
// compilers: gcc clang   opt: -O1
// heddle: check
// expect: verdict=bug kind=data-race
// Graphs: the vptr is written once, because ~Derived finds there what it would write; the caller reads it before or
// after that. 2.
// traces: 2 enumerated --keep-going
#include <new>
#include <thread>

struct Base;
static void Call(Base &object);
static void (*volatile call)(Base &) = Call;  // so that no compiler knows which Value() it is

struct Base {
  virtual ~Base() { call(*this); }
  virtual int Value() { return 1; }
};

struct Derived : Base {
  ~Derived() override { call(*this); }
  int Value() override { return 2; }
};

static void Call(Base &object) { object.Value(); }

alignas(Derived) static char storage[sizeof(Derived)];

int main() {
  Base *object = new (storage) Derived;
  std::thread caller([=] { call(*object); });
  std::thread destroyer([=] { object->~Base(); });
  caller.join();
  destroyer.join();
}
