// State as a row of bytes: what is put in comes out again in the same order.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

#include "base/check.h"

namespace heddle::base {

class SavedBytes {
 public:
  template <typename T>
  void Put(const T* from, size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto* bytes = reinterpret_cast<const char*>(from);
    bytes_.insert(bytes_.end(), bytes, bytes + count * sizeof(T));
  }
  template <typename T>
  void Put(const T& value) {
    Put(&value, 1);
  }

  void Clear() { bytes_.clear(); }
  const std::vector<char>& Bytes() const { return bytes_; }

 private:
  std::vector<char> bytes_;
};

class SavedBytesReader {
 public:
  explicit SavedBytesReader(const SavedBytes& saved) : saved_(saved.Bytes()) {}

  // REQUIRES: that much was put in here.
  template <typename T>
  void Get(T* to, size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    const size_t bytes = count * sizeof(T);
    HEDDLE_CHECK(at_ + bytes <= saved_.size());
    if (bytes != 0) memcpy(static_cast<void*>(to), saved_.data() + at_, bytes);
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
  const std::vector<char>& saved_;
  size_t at_ = 0;
};

}  // namespace heddle::base
