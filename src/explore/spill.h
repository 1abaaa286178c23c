// Where a queue puts what does not fit in memory: a seam, so that tests can run out of disk.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::explore {

class Spill {
 public:
  // Store and fetch `bytes` at the offset `at`. ENSURES: true if all of it was transferred; after
  // false the caller goes on without.
  virtual bool Write(uint64_t at, const void* data, size_t bytes) = 0;
  virtual bool Read(uint64_t at, void* data, size_t bytes) = 0;

 protected:
  ~Spill() = default;
};

}  // namespace heddle::explore
