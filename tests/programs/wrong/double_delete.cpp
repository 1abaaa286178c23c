// Two threads delete the same object, in code of their own. Nothing orders the two, so each comes second in some execution.
// heddle: check --keep-going
// expect: verdict=bug complete=true bugs=2 kinds=double-free
// Executions: who deletes first.
// traces: 2 enumerated --keep-going
#include <atomic>
#include <thread>

static std::atomic<int> owners;
static int *object;

int main() {
  object = new int(1);
  std::thread first([] {
    if (owners == 0) delete object;
  });
  std::thread second([] {
    if (owners == 0) delete object;
  });
  first.join();
  second.join();
}
