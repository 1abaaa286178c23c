// Hazard pointers: a reader announces the object that it is about to use, and a writer that has replaced an object reuses it
// when nobody announces it. The reader must look again after it has announced, and does not.
// Interleaving: the reader has loaded the pointer; the writer replaces the object, finds no announcement, and reuses it; the
// reader announces it and reads a reused object.
// bug: preemptions=2 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <atomic>
#include <cassert>
#include <thread>

static constexpr int kReaders = 2, kObjects = 3, kRounds = 2;

struct Object {
  std::atomic<int> valid{0};
};

static Object objects[kObjects];
static std::atomic<Object *> current{&objects[0]};
static std::atomic<Object *> hazard[kReaders];

static void Read(int self) {
  Object *object;
#ifdef FIXED
  do {
    object = current;
    hazard[self] = object;
  } while (object != current);
#else
  object = current;
  hazard[self] = object;
#endif
  assert(object->valid);
  hazard[self] = nullptr;
}

static bool Announced(Object *object) {
  for (auto &announced : hazard)
    if (announced == object) return true;
  return false;
}

static void Write() {
  int fresh = 1;
  for (int round = 0; round < kRounds; round++) {
    objects[fresh].valid = 1;
    Object *old = current.exchange(&objects[fresh]);
    if (!Announced(old)) {
      old->valid = 0;
      fresh = int(old - objects);
    } else {
      fresh = kObjects - 1;
    }
  }
}

int main() {
  objects[0].valid = 1;
  std::thread a(Read, 0), b(Read, 1), writer(Write);
  a.join(), b.join(), writer.join();
}
