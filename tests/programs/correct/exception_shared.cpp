// An exception that several threads hold is destroyed by the last of them: ordered after the others' uses.
// compilers: gcc clang
// heddle: check --bound preemptions=2
// expect: verdict=clean complete=true
// No number of graphs is stated: the operations are those that libstdc++ makes inside.
#include <cassert>
#include <cstring>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
  std::string detail = "a text that is too long for the small string optimisation";
  ~Failure() override { detail[0] = 'x'; }
};

static void Look(std::shared_future<int> result) {
  try {
    result.get();
    assert(false);
  } catch (const Failure &failure) {
    assert(std::strcmp(failure.what(), "no") == 0 && failure.detail[0] == 'a');
  }
}

int main() {
  std::promise<int> promise;
  std::shared_future<int> result = promise.get_future().share();
  std::thread first(Look, result);
  std::thread second(Look, std::move(result));
  promise.set_exception(std::make_exception_ptr(Failure("no")));
  first.join();
  second.join();
}
