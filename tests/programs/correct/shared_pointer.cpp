// shared_ptr across threads: the count is atomic, the object dies once, weak_ptr::lock sees it
// or not.
// compilers: gcc clang
// heddle: check --bound preemptions=2
// expect: verdict=clean outcomes=alive,gone
// No number of graphs is stated: the operations are those that libstdc++ makes inside.
#include <heddle.h>

#include <cassert>
#include <memory>
#include <thread>

static int deaths;

struct Object {
  ~Object() { deaths++; }
  int value = 4;
};

int main() {
  auto object = std::make_shared<Object>();
  std::weak_ptr<Object> weak = object;
  std::thread dropper([mine = std::move(object)]() mutable { mine.reset(); });
  std::thread looker([&weak] {
    if (auto alive = weak.lock()) {
      assert(alive->value == 4);
      heddle_outcome("alive");
    } else {
      heddle_outcome("gone");
    }
  });
  dropper.join();
  looker.join();
  assert(deaths == 1);
}
