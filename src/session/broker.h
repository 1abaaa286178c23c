// Who of several jobs gives work to whom: a pure function of what is seen and when, so that it is
// tested without processes (docs/algorithms/parallel.md).
//
// When a job has nothing left, somebody is asked for branches: who has some that he has not begun,
// else whoever was not asked for the longest time. Each time that a job comes back soon the
// portions grow, and when nobody has come for long they shrink: each handing over costs time, and
// parting with a branch that needs a node to be closed costs some of the reduction (R25 in
// dpor_extensions.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace heddle::session {

class Broker {
 public:
  static constexpr uint32_t kFirstPortion = 4;
  static constexpr uint32_t kMostPortion = 64;
  // Where to part with a branch costs nothing but the way.
  static constexpr uint32_t kMostPortionFree = 4096;
  static constexpr uint64_t kSoonMs = 20;
  static constexpr uint64_t kLongMs = 500;
  static constexpr uint64_t kPoorMs = 5;  // who had nothing to part with is not asked again so soon

  explicit Broker(uint32_t most_portion = kMostPortion) : most_portion_(most_portion) {}

  struct JobLoad {
    bool searches;     // it is there, and can be asked
    bool idle;         // it has nothing left
    uint32_t waiting;  // branches that it has not begun
  };
  struct Ask {
    size_t job;
    uint32_t branches;
  };
  struct Bring {
    size_t job;
    size_t branches;
  };

  // Who is to be asked, if nobody is being asked. `stock`: branches that are nobody's.
  std::optional<Ask> WhomToAsk(std::span<const JobLoad> jobs, size_t stock, uint64_t now_ms);
  // The job asked last has parted with so many.
  void Answered(size_t branches, uint64_t now_ms);
  // Who gets how many of the stock.
  std::optional<Bring> WhomToBring(std::span<const JobLoad> jobs, size_t stock, uint64_t now_ms);
  bool Asks() const { return asked_.has_value(); }

 private:
  struct Memory {
    uint64_t asked_ms = 0;
    uint64_t poor_until_ms = 0;
    uint64_t brought_ms = 0;
  };
  Memory& Of(size_t job);

  uint32_t most_portion_;
  std::vector<Memory> memories_;
  std::optional<size_t> asked_;
  uint32_t portion_ = kFirstPortion;
};

}  // namespace heddle::session
