// Who gives a number to a thread or an object, where several processes search together
// (channel::SharedNames). Elsewhere it costs nothing.
//
// May be taken again by who has it. A process that is killed while it has the lock leaves names
// that are whole: a number counts once its name is written.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle::runtime {

class NamesLock {
 public:
  // Once, before the first execution. `holder`: in memory of all processes that search together;
  // the one that has the lock, or 0.
  static void Share(std::atomic<uint32_t>* holder);

  NamesLock();
  NamesLock(const NamesLock&) = delete;
  NamesLock& operator=(const NamesLock&) = delete;
  ~NamesLock();

 private:
  bool mine_ = false;  // this one has taken it
};

}  // namespace heddle::runtime
