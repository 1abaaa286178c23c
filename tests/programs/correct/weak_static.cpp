// A function's static variable: who finds it made sees what its constructor wrote. Its guard is a word and an object, which the
// graphs do not tell apart, so it is no proof.
// heddle: check --memory-model c11
// expect: bugs=0 incomplete=reads-from-operation
// heddle: check --memory-model tso
// expect: bugs=0 incomplete=reads-from-operation
// heddle: check --memory-model sc --reduction reads-from
// expect: bugs=0 incomplete=reads-from-operation
#include "run_threads.h"

struct Value {
  Value();
  int value;
};
Value::Value() { value = 3; }

static Value& Made() {
  static Value made;
  return made;
}

static void* Use(void* unused) {
  assert(Made().value == 3);
  return unused;
}

int main() {
  const Body bodies[] = {Use, Use};
  RunThreads(2, bodies);
}
