// "stringbuffer": append asks the other buffer for its length and then for its characters, each
// under the other's lock; between the two the other is cut short.
// heddle: check
// expect: verdict=bug kind=uncaught-exception preemptions=1 message~out_of_range
// Graphs: the buffer is erased before, between or after the three sections that look at it, 4.
// traces: 4 enumerated --keep-going
#include <mutex>
#include <string>
#include <thread>

class StringBuffer {
 public:
  explicit StringBuffer(const char *text) : text_(text) {}
  size_t Length() {
    std::lock_guard guard(mutex_);
    return text_.size();
  }
  char At(size_t i) {
    std::lock_guard guard(mutex_);
    return text_.at(i);
  }
  void Erase() {
    std::lock_guard guard(mutex_);
    text_.clear();
  }
  void Append(StringBuffer &other) {
    std::lock_guard guard(mutex_);
    size_t length = other.Length();
    for (size_t i = 0; i < length; i++) text_ += other.At(i);
  }

 private:
  std::mutex mutex_;
  std::string text_;
};

int main() {
  StringBuffer first(""), second("ab");
  std::thread appender([&] { first.Append(second); });
  std::thread eraser([&] { second.Erase(); });
  appender.join();
  eraser.join();
}
