// Two events are missing because their threads found the log closed for a moment, and did nothing. Nothing that main looks at
// was written by them: the report has what they read all the same.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=assertion stdout~"| stores log.state_: kClosed" stdout~"| loads log.state_: kClosed" stdout~"left out: "
#include <atomic>
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Binlog {
 public:
  void Open() {
    std::lock_guard<std::mutex> guard(mutex_);
    state_ = kOpen;
  }
  void Write(const std::string &event) {
    if (state_ != kOpen) return;
    std::lock_guard<std::mutex> guard(mutex_);
    files_.back().push_back(event);
  }
  void NewFile() {
    std::lock_guard<std::mutex> guard(mutex_);
    state_ = kClosed;
    files_.emplace_back();
    state_ = kOpen;
  }
  size_t Events() const {
    size_t sum = 0;
    for (auto &file : files_) sum += file.size();
    return sum;
  }

 private:
  enum State { kClosed, kOpen };
  std::atomic<State> state_{kClosed};
  std::mutex mutex_;
  std::vector<std::vector<std::string>> files_{1};
};

int main() {
  Binlog log;
  log.Open();
  std::thread insert([&] { log.Write("insert"); });
  std::thread update([&] { log.Write("update"); });
  std::thread flush([&] { log.NewFile(); });
  insert.join(), update.join(), flush.join();
  assert(log.Events() == 2);
}
