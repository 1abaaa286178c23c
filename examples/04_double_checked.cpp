// Double-checked locking without an atomic: the unlocked first look at the pointer is a data
// race with the store. Make `instance` a std::atomic<Config*> and heddle explores every schedule
// without a finding.
//
// heddle: check
// expect: verdict=bug kind=data-race location=@look location=@store
#include <mutex>
#include <string>
#include <thread>

struct Config {
  std::string name = "default";
};

static std::mutex mutex;
static Config* instance;

static Config& Instance() {
  if (instance == nullptr) {  // @look
    std::lock_guard<std::mutex> guard(mutex);
    if (instance == nullptr) instance = new Config;  // @store
  }
  return *instance;
}

int main() {
  std::thread first([] { Instance(); });
  std::thread second([] { Instance(); });
  first.join();
  second.join();
  delete instance;
}
