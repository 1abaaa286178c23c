// "stringbuffer": append(other) asks `other` for its length under its lock, and then, in a second section, for so many characters.
// Interleaving: another thread shortens `other` between the two. Behind a hundred appends by main, and beside another thread that appends
// to the same target.
// bug: preemptions=1 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <cassert>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>

class Buffer {
 public:
  size_t Length() {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    return text_.size();
  }
  void CopyTo(size_t length, char *to) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    assert(length <= text_.size());
    for (size_t i = 0; i < length; i++) to[i] = text_[i];
  }
  void Append(Buffer &other) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
#ifdef FIXED
    std::lock_guard<std::recursive_mutex> both(other.mutex_);
#endif
    size_t length = other.Length();
    char copy[256];
    other.CopyTo(length, copy);
    text_.assign(copy, length);
  }
  void Set(const char *text) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    text_ = text;
  }

 private:
  std::recursive_mutex mutex_;
  std::string text_;
};

int main() {
  static Buffer target, source, filler;
  source.Set("abcdefgh");
  filler.Set("xyz");
  for (int i = 0; i < 100; i++) target.Append(filler);
  std::thread a([] { target.Append(source); });
  std::thread b([] { target.Append(filler), target.Append(filler); });
  std::thread c([] { source.Length(), source.Set("abcdefghij"), source.Set("ab"); });
  a.join(), b.join(), c.join();
}
