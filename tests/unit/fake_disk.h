// Where a search puts what does not fit in memory, for tests that run out of disk.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "explore/spill.h"

namespace heddle::explore {

// A disk of limited size in memory, which can also break. What lies before `begin` is somebody
// else's.
class FakeDisk final : public Spill {
 public:
  FakeDisk(uint64_t begin, size_t capacity) : begin_(begin), capacity_(capacity) {}

  bool Write(uint64_t at, const void* data, size_t bytes) override {
    EXPECT_GE(at, begin_);
    if (at + bytes > capacity_) return false;
    if (content_.size() < at + bytes) content_.resize(at + bytes);
    std::memcpy(content_.data() + at, data, bytes);
    ++writes;
    return true;
  }
  bool Read(uint64_t at, void* data, size_t bytes) override {
    if (broken || at + bytes > content_.size()) return false;
    std::memcpy(data, content_.data() + at, bytes);
    return true;
  }

  bool broken = false;
  uint64_t writes = 0;
  size_t Size() const { return content_.size(); }

 private:
  const uint64_t begin_;
  const size_t capacity_;
  std::vector<uint8_t> content_;
};

}  // namespace heddle::explore
