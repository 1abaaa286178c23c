// A function's static variable: who finds it made sees what its constructor wrote. Graphs: either thread makes it; the other one
// finds it made by the guard's byte, or asks and is told so.
// heddle: check --memory-model c11
// expect: verdict=clean executions=4 complete=true
// heddle: check --memory-model tso
// expect: verdict=clean executions=4 complete=true
// heddle: check --memory-model sc --reduction reads-from
// expect: verdict=clean executions=4 complete=true
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
