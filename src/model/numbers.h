// A row of numbers, as which graphs and searches of graphs are written down, and read again.
#pragma once

#include <cstdint>
#include <span>

namespace heddle::model {

// Each number is asked for with a limit that it is below; one that is not, or is missing, makes all
// that follow 0.
class Numbers {
 public:
  explicit Numbers(std::span<const uint64_t> numbers) : left_(numbers) {}

  uint64_t Take() {
    if (left_.empty()) failed_ = true;
    if (failed_) return 0;
    const uint64_t number = left_.front();
    left_ = left_.subspan(1);
    return number;
  }
  template <typename T = uint64_t>
  T Below(uint64_t limit) {
    const uint64_t number = Take();
    if (number >= limit) failed_ = true;
    return static_cast<T>(failed_ ? 0 : number);
  }
  // A length of something that takes a number each, at least.
  size_t Length() { return Below<size_t>(left_.size() + 1); }

  void Fail() { failed_ = true; }
  bool Failed() const { return failed_; }
  bool AtEnd() const { return !failed_ && left_.empty(); }

 private:
  std::span<const uint64_t> left_;
  bool failed_ = false;
};

}  // namespace heddle::model
