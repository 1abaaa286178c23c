// State as a row of bytes: what is put in comes out again in the same order. The memory is the
// caller's.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "base/check.h"
#include "runtime/prim/copy.h"

namespace heddle::base {

class SavedBytes {
 public:
  explicit SavedBytes(std::span<char> memory)
      : begin_(memory.data()), at_(begin_), end_(begin_ + memory.size()) {}

  template <typename T>
  void Put(const T* from, size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    const size_t bytes = count * sizeof(T);
    if (bytes > static_cast<size_t>(end_ - at_)) lacks_room_ = true;
    if (lacks_room_ || bytes == 0) return;
    runtime::CopyForward(at_, from, bytes);
    at_ += bytes;
  }
  template <typename T>
  void Put(const T& value) {
    Put(&value, 1);
  }

  // Not all that was put in is there: it cannot be read.
  bool LacksRoom() const { return lacks_room_; }
  std::span<const char> Bytes() const { return {begin_, at_}; }

 private:
  char* begin_;
  char* at_;
  char* end_;
  bool lacks_room_ = false;
};

class SavedBytesReader {
 public:
  explicit SavedBytesReader(std::span<const char> saved) : saved_(saved) {}

  // REQUIRES: that much was put in here.
  template <typename T>
  void Get(T* to, size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    const size_t bytes = count * sizeof(T);
    HEDDLE_CHECK(bytes <= saved_.size() - at_);
    if (bytes != 0) runtime::CopyForward(to, saved_.data() + at_, bytes);
    at_ += bytes;
  }
  template <typename T>
  T Get() {
    T value;
    Get(&value, 1);
    return value;
  }
  bool AtEnd() const { return at_ == saved_.size(); }

 private:
  const std::span<const char> saved_;
  size_t at_ = 0;
};

}  // namespace heddle::base
